"""Each step computes a new leaf, with `detach` and `requires_grad_`."""
# covers: autograd.optimizer-step

import torch

w = torch.tensor([1.0], requires_grad=True)
for step in range(3):
    (w * 2).backward()
    w = (w - 0.1 * w.grad).detach().requires_grad_()
    print(step, w, w.is_leaf, w.grad)
#> 0 tensor([0.8000], requires_grad=True) True None
#> 1 tensor([0.6000], requires_grad=True) True None
#> 2 tensor([0.4000], requires_grad=True) True None

"""`retain_grad()` must come before `backward`, and it does nothing to a leaf."""
# covers: autograd.retain-grad

import warnings

import torch

w = torch.tensor(2.0, requires_grad=True)
h = w * 3
h.backward()
h.retain_grad()
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    print(h.grad)
#> None

w.retain_grad()
print(w.retains_grad, w.grad)
#> False tensor(3.)

torch.ones(2).retain_grad()
#! RuntimeError: can't retain_grad on Tensor that has requires_grad=False

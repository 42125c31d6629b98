"""`zero_grad` sets to `None`; zeros would still move the weight."""
# covers: train.epoch-steps

import torch

for set_to_none in True, False:
    w = torch.tensor([1.0], requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=0.1, momentum=0.9)
    w.sum().backward()
    optimizer.step()
    optimizer.zero_grad(set_to_none=set_to_none)
    optimizer.step()
    print(set_to_none, w.grad, w)
#> True None tensor([0.9000], requires_grad=True)
#> False tensor([0.]) tensor([0.8100], requires_grad=True)

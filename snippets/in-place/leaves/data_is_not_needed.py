"""A write to a detached tensor needs no `.data`, and without it the write is counted."""
# covers: autograd.detach

import torch

w = torch.tensor([1.0], requires_grad=True)
loss = (w * w).sum()
w.detach().data[0] = 999
print(w._version)
#> 0
loss.backward()
print(w.grad)  # right would be 2
#> tensor([1998.])

w = torch.tensor([1.0], requires_grad=True)
loss = (w * w).sum()
w.detach()[0] = 999
print(w._version)
#> 1
loss.backward()
#! RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: ...

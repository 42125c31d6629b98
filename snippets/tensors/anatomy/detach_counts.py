"""The same change through `detach()` is counted, and backward refuses."""

import torch

w = torch.tensor([2.0, 3.0], requires_grad=True)
square = (w * w).sum()
w.detach().mul_(10)
print(w._version)
#> 1
square.backward()
#! RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: ...

"""A saved tensor is overwritten, and PyTorch doesn't notice."""
# covers: inplace.version-counter

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
h = x + 2
(h * h).mean().backward()
print(x.grad)
#> tensor([3., 4.])

x.grad = None
h = x + 2
mean = (h * h).mean()
h.data[0] = 1000.0  # not counted
print(h._version)
#> 0
mean.backward()
print(x.grad)
#> tensor([1000.,    4.])

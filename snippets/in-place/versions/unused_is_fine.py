"""A tensor is overwritten that no node has saved."""
# covers: inplace.version-unused-ok

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
h = x + 2
y = h + 1
h[0] = 1000.0
print(h._version)
#> 1

y.sum().backward()
print(x.grad)
#> tensor([1., 1.])

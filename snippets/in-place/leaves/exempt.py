"""A leaf may be changed if it requires no gradient, or where nothing is recorded."""
# covers: inplace.leaf-stricter

import torch

data = torch.ones(2)
data += 1
data.requires_grad_()
print(data, data.is_leaf)
#> tensor([2., 2.], requires_grad=True) True

with torch.no_grad():
    data += 1
print(data, data.is_leaf)
#> tensor([3., 3.], requires_grad=True) True

torch.nn.init.zeros_(data)
print(data, data._version)
#> tensor([0., 0.], requires_grad=True) 3

data.requires_grad_(False)
data += 1
print(data)
#> tensor([1., 1.])

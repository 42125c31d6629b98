"""Indices, slices and steps work as in NumPy."""
# covers: tensor-ops.indexing

import torch

t = torch.arange(12).view(3, 4)
print(t[1], t[1, 2])
#> tensor([4, 5, 6, 7]) tensor(6)
print(t[:, 1:3])
#> tensor([[ 1,  2],
#>         [ 5,  6],
#>         [ 9, 10]])
print(t[::2, -1])
#> tensor([ 3, 11])
print(t[..., 0], t[:, None].shape)
#> tensor([0, 4, 8]) torch.Size([3, 1, 4])

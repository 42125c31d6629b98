"""A list holds sizes for `split` and positions for `tensor_split`."""

import torch

t = torch.arange(6)
print(t.split([2, 3, 1]))
#> (tensor([0, 1]), tensor([2, 3, 4]), tensor([5]))
print(t.tensor_split([2, 3]))
#> (tensor([0, 1]), tensor([2]), tensor([3, 4, 5]))

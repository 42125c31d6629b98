"""`tensor_split` takes a number of parts, or the positions to cut at."""
# covers: tensor-ops.table.tensor_split

import torch

t = torch.arange(7)
print(torch.tensor_split(t, 3))
#> (tensor([0, 1, 2]), tensor([3, 4]), tensor([5, 6]))
print(torch.tensor_split(t, (2, 3)))
#> (tensor([0, 1]), tensor([2]), tensor([3, 4, 5, 6]))
print(torch.tensor_split(torch.arange(6).view(2, 3), (1,), dim=1))
#> (tensor([[0],
#>         [3]]), tensor([[1, 2],
#>         [4, 5]]))

"""`stack` joins along a new axis."""
# covers: tensor-ops.table.stack

import torch

a = torch.tensor([1, 2, 3])
b = torch.tensor([4, 5, 6])
print(torch.stack((a, b)))
#> tensor([[1, 2, 3],
#>         [4, 5, 6]])
print(torch.stack((a, b), dim=1))
#> tensor([[1, 4],
#>         [2, 5],
#>         [3, 6]])
torch.stack((a, torch.tensor([7, 8])))
#! RuntimeError: stack expects each tensor to be equal size, but got [3] at entry 0 and [2] at entry 1

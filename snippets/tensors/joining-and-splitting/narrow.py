"""`narrow` returns a part of one axis, given by start and length."""
# covers: tensor-ops.table.narrow

import torch

x = torch.tensor([[1, 2, 3], [4, 5, 6], [7, 8, 9]])
print(torch.narrow(x, 0, 0, 2))
#> tensor([[1, 2, 3],
#>         [4, 5, 6]])
print(torch.equal(torch.narrow(x, 0, 0, 2), x[0 : 0 + 2, ...]))
#> True
print(torch.narrow(x, 1, 1, 2))
#> tensor([[2, 3],
#>         [5, 6],
#>         [8, 9]])

print(x[2:4])
#> tensor([[7, 8, 9]])
torch.narrow(x, 0, 2, 2)
#! RuntimeError: start (2) + length (2) exceeds dimension size (3).

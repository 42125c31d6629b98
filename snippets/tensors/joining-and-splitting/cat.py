"""`cat` joins along an existing axis."""
# covers: tensor-ops.table.cat

import torch

a = torch.tensor([[1, 2], [3, 4]])
b = torch.tensor([[5, 6]])
print(torch.cat((a, b)))
#> tensor([[1, 2],
#>         [3, 4],
#>         [5, 6]])
print(torch.cat((a, b.t()), dim=1))
#> tensor([[1, 2, 5],
#>         [3, 4, 6]])

"""`take_along_dim` reads the values at the positions that `argmax` and `argsort` return."""
# covers: tensor-ops.table.take_along_dim

import torch

t = torch.tensor([[10, 30, 20], [60, 40, 50]])
best = torch.argmax(t, dim=1, keepdim=True)
print(best)
#> tensor([[1],
#>         [0]])
print(torch.take_along_dim(t, best, dim=1))
#> tensor([[30],
#>         [60]])
order = torch.argsort(t, dim=1)
print(order)
#> tensor([[0, 2, 1],
#>         [1, 2, 0]])
print(torch.take_along_dim(t, order, dim=1))
#> tensor([[10, 20, 30],
#>         [40, 50, 60]])

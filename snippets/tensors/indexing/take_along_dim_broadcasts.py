"""`take_along_dim` broadcasts its index, and `gather` does not."""
# covers: tensor-ops.table.take_along_dim

import torch

t = torch.tensor([[10, 30, 20], [60, 40, 50]])
index = torch.tensor([[2, 0]])
print(torch.take_along_dim(t, index, dim=1))
#> tensor([[20, 10],
#>         [50, 60]])
print(torch.gather(t, 1, index))
#> tensor([[20, 10]])
print(torch.take_along_dim(t, torch.tensor([5, 0])))
#> tensor([50, 10])

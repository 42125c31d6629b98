"""`movedim` moves one axis and keeps the order of the others."""
# covers: tensor-ops.table.movedim

import torch

t = torch.tensor([[1, 2, 3], [4, 5, 6]])
print(torch.movedim(t, 1, 0))
#> tensor([[1, 4],
#>         [2, 5],
#>         [3, 6]])
print(torch.movedim(torch.zeros(4, 6, 3), 2, 0).shape)
#> torch.Size([3, 4, 6])
print(torch.transpose(torch.zeros(4, 6, 3), 2, 0).shape)
#> torch.Size([3, 6, 4])

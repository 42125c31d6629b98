"""`where` selects from x where the condition holds and from y elsewhere."""
# covers: tensor-ops.table.where

import torch

x = torch.tensor([[0.3, -1.2], [-0.7, 0.5]])
print(torch.where(x > 0, x, torch.zeros(2, 2)))
#> tensor([[0.3000, 0.0000],
#>         [0.0000, 0.5000]])
print(torch.where(x > 0, 1, -1))
#> tensor([[ 1, -1],
#>         [-1,  1]])
print(torch.where(x > 0))
#> (tensor([0, 1]), tensor([0, 1]))

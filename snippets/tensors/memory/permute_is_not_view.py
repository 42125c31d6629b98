"""`permute` and `view` can give the same shape and different numbers."""
# covers: tensor-ops.permute

import torch

t = torch.tensor([[0, 1, 2], [3, 4, 5]])
print(t.permute(1, 0))
#> tensor([[0, 3],
#>         [1, 4],
#>         [2, 5]])
print(t.view(3, 2))
#> tensor([[0, 1],
#>         [2, 3],
#>         [4, 5]])

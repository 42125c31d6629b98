"""`gather` reads one number for each number of the index."""
# covers: tensor-ops.table.gather

import torch

t = torch.tensor([[1, 2, 3], [4, 5, 6]])
print(torch.gather(t, 1, torch.tensor([[0, 0], [2, 1]])))
#> tensor([[1, 1],
#>         [6, 5]])
print(torch.gather(t, 0, torch.tensor([[1, 0, 1]])))
#> tensor([[4, 2, 6]])

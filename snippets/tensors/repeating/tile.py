"""`tile` repeats along several axes."""
# covers: tensor-ops.table.tile

import torch

y = torch.tensor([[1, 2], [3, 4]])
print(torch.tile(y, (2, 2)))
#> tensor([[1, 2, 1, 2],
#>         [3, 4, 3, 4],
#>         [1, 2, 1, 2],
#>         [3, 4, 3, 4]])
print(torch.tile(y, (2,)))
#> tensor([[1, 2, 1, 2],
#>         [3, 4, 3, 4]])

"""`expand` expands axes of size 1."""
# covers: tensor-ops.expand

import torch

column = torch.tensor([[1], [2], [3]])
print(column.expand(3, 4))
#> tensor([[1, 1, 1, 1],
#>         [2, 2, 2, 2],
#>         [3, 3, 3, 3]])
print(column.expand(-1, 2))
#> tensor([[1, 1],
#>         [2, 2],
#>         [3, 3]])
print(torch.tensor([1, 2, 3]).expand(2, 3))
#> tensor([[1, 2, 3],
#>         [1, 2, 3]])

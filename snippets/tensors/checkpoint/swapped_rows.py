"""Rows are views, so a swap as with a list loses one of them."""
# covers: tensor-ops.indexing

import torch

pictures = torch.tensor([[1, 1], [2, 2], [3, 3]])
pictures[0], pictures[2] = pictures[2], pictures[0]
print(pictures)
#> tensor([[3, 3],
#>         [2, 2],
#>         [3, 3]])

pictures = torch.tensor([[1, 1], [2, 2], [3, 3]])
pictures[[0, 2]] = pictures[[2, 0]]
print(pictures)
#> tensor([[3, 3],
#>         [2, 2],
#>         [1, 1]])

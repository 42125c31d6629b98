"""`hsplit` cuts a matrix between columns and a vector between elements."""
# covers: tensor-ops.table.hsplit

import torch

t = torch.arange(8).view(2, 4)
print(torch.hsplit(t, 2))
#> (tensor([[0, 1],
#>         [4, 5]]), tensor([[2, 3],
#>         [6, 7]]))
print(torch.hsplit(t, [1, 3]))
#> (tensor([[0],
#>         [4]]), tensor([[1, 2],
#>         [5, 6]]), tensor([[3],
#>         [7]]))
print(torch.hsplit(torch.arange(4), 2))
#> (tensor([0, 1]), tensor([2, 3]))

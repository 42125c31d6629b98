"""`index_select` selects whole slices along one axis."""
# covers: tensor-ops.table.index_select

import torch

t = torch.tensor([[1, 2, 3], [4, 5, 6], [7, 8, 9]])
index = torch.tensor([0, 2, 2, 0])
print(torch.index_select(t, 0, index))
#> tensor([[1, 2, 3],
#>         [7, 8, 9],
#>         [7, 8, 9],
#>         [1, 2, 3]])
print(torch.index_select(t, 1, index).shape)
#> torch.Size([3, 4])

"""Broadcasting aligns shapes at the right and expands axes of size 1."""
# covers: tensor-ops.broadcast

import torch

column = torch.tensor([[0], [10], [20]])
row = torch.tensor([1, 2, 3, 4])
print(column + row)
#> tensor([[ 1,  2,  3,  4],
#>         [11, 12, 13, 14],
#>         [21, 22, 23, 24]])
print(torch.broadcast_shapes((3, 1), (4,)))
#> torch.Size([3, 4])

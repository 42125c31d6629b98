"""`repeat` requires a count for every axis, and `tile` does not."""
# covers: tensor-ops.repeat

import torch

t = torch.tensor([[1, 2], [3, 4]])
print(t.tile(2))
#> tensor([[1, 2, 1, 2],
#>         [3, 4, 3, 4]])
t.repeat(2)
#! RuntimeError: Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor

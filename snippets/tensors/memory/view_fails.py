"""A transposed matrix has no view as one row: copy it, or ask `reshape` to."""
# covers: tensor-ops.view tensor-ops.contiguous

import torch

u = torch.tensor([[0, 1, 2], [3, 4, 5]]).t()
u.view(6)
#! RuntimeError: view size is not compatible with input tensor's size and stride (at least one dimension spans across two contiguous subspaces). Use .reshape(...) instead.
print(u.contiguous().view(6))
#> tensor([0, 3, 1, 4, 2, 5])
print(u.reshape(6))
#> tensor([0, 3, 1, 4, 2, 5])

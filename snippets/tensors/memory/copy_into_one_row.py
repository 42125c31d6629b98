"""A transposed matrix becomes one row by a copy: make it yourself, or leave it to `reshape`."""
# covers: tensor-ops.view tensor-ops.contiguous

import torch

u = torch.tensor([[0, 1, 2], [3, 4, 5]]).t()
print(u.contiguous().view(6))
#> tensor([0, 3, 1, 4, 2, 5])
print(u.reshape(6))
#> tensor([0, 3, 1, 4, 2, 5])

"""A transposed matrix has no view as a vector."""
# covers: tensor-ops.view

import torch

u = torch.tensor([[0, 1, 2], [3, 4, 5]]).t()
u.view(6)
#! RuntimeError: view size is not compatible with input tensor's size and stride (at least one dimension spans across two contiguous subspaces). Use .reshape(...) instead.

"""`scatter_` accepts a number for all positions, but `scatter_add_` requires a tensor."""
# covers: tensor-ops.table.scatter_add

import torch

index = torch.tensor([0, 0, 2])
print(torch.zeros(3).scatter_(0, index, 7))
#> tensor([7., 0., 7.])
print(torch.zeros(3).scatter_add_(0, index, torch.ones(3)))
#> tensor([2., 0., 1.])
torch.zeros(3).scatter_add_(0, index, 7)
#! TypeError: scatter_add_(): argument 'src' (position 3) must be Tensor, not int

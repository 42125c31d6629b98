"""From the right, two sizes must be equal or one of them 1."""
# covers: tensor-ops.broadcast

import torch

print((torch.zeros(3, 2) + torch.zeros(3, 1)).shape)
#> torch.Size([3, 2])
torch.zeros(3, 2) + torch.zeros(3)
#! RuntimeError: The size of tensor a (2) must match the size of tensor b (3) at non-singleton dimension 1

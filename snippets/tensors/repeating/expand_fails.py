"""Two rows can be repeated to six, but not expanded."""
# covers: tensor-ops.expand

import torch

print(torch.rand(1, 3).expand(6, 3).shape)
#> torch.Size([6, 3])
print(torch.rand(2, 3).repeat(3, 1).shape)
#> torch.Size([6, 3])
torch.rand(2, 3).expand(6, 3)
#! RuntimeError: The expanded size of the tensor (6) must match the existing size (2) at non-singleton dimension 0.  Target sizes: [6, 3].  Tensor sizes: [2, 3]

"""A rotation of three axes takes one `permute` or two swaps."""
# covers: tensor-ops.permute

import torch

t = torch.zeros(2, 3, 4)
print(t.permute(2, 0, 1).shape)
#> torch.Size([4, 2, 3])
print(t.transpose(0, 2).shape, t.transpose(0, 1).shape, t.transpose(1, 2).shape)
#> torch.Size([4, 3, 2]) torch.Size([3, 2, 4]) torch.Size([2, 4, 3])
print(t.transpose(0, 2).transpose(1, 2).shape)
#> torch.Size([4, 2, 3])

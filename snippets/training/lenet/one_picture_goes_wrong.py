"""Without a batch axis, `Flatten` treats the channels as the batch."""
# covers: module.minibatch-only module.lenet

import torch
from torch import nn

net = nn.Sequential(nn.Conv2d(1, 4, 3), nn.Flatten(), nn.Linear(4 * 6 * 6, 10))
picture = torch.rand(1, 8, 8)
print(net(picture.unsqueeze(0)).shape)
#> torch.Size([1, 10])

net(picture)
#! RuntimeError: mat1 and mat2 shapes cannot be multiplied (4x36 and 144x10)

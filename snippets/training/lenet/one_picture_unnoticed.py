"""If the sizes happen to fit, a missing batch axis raises no error."""
# covers: module.minibatch-only

import torch
from torch import nn

net = nn.Sequential(nn.Conv2d(1, 4, 3), nn.Flatten(), nn.Linear(6 * 6, 10))
picture = torch.rand(1, 8, 8)
print(net(picture).shape)
#> torch.Size([4, 10])

loss = nn.functional.cross_entropy(torch.rand(10), torch.tensor(3))
print(loss.shape)
#> torch.Size([])

"""A network with dropout gives other answers each time, until `eval`."""
# covers: tricks.eval-vs-nograd

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 50), nn.Dropout(0.5), nn.Linear(50, 1))
x = torch.ones(1, 2)

with torch.no_grad():
    print(torch.equal(net(x), net(x)))
#> False

net.eval()
with torch.no_grad():
    print(torch.equal(net(x), net(x)))
#> True

"""A network with dropout gives a different answer each time, until `eval`."""
# covers: tricks.eval-vs-nograd

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 50), nn.Dropout(0.5), nn.Linear(50, 1))
x = torch.ones(1, 2)

with torch.no_grad():
    outputs = [net(x).item() for _ in range(5)]
print(len(set(outputs)))
#> 5

net.eval()
with torch.no_grad():
    outputs = [net(x).item() for _ in range(5)]
print(len(set(outputs)))
#> 1

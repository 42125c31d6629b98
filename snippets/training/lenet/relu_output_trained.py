"""The same network, trained with ReLU on its last layer and without."""
# covers: module.lenet.relu-output

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
x = torch.rand(64, 2)
label = (x[:, 0] > x[:, 1]).long()


def train(last):
    torch.manual_seed(12)
    net = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 2), last)
    optimizer = torch.optim.Adam(net.parameters(), lr=0.05)
    for _ in range(60):
        optimizer.zero_grad()
        loss = F.cross_entropy(net(x), label)
        loss.backward()
        optimizer.step()
    return (net(x).argmax(dim=1) == label).sum().item()


print(train(nn.Identity()), "of", len(x))
#> 64 of 64
print(train(nn.ReLU()), "of", len(x))
#> 41 of 64

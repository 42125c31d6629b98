"""The same small network with ReLU on its last layer and without, trained from ten random starts."""
# covers: module.lenet.relu-output

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
x = torch.rand(64, 2)
label = (x[:, 0] > x[:, 1]).long()


def correct_after_training(last, seed):
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 2), last)
    optimizer = torch.optim.Adam(net.parameters(), lr=0.05)
    for _ in range(60):
        optimizer.zero_grad()
        loss = F.cross_entropy(net(x), label)
        loss.backward()
        optimizer.step()
    return (net(x).argmax(dim=1) == label).sum().item()


print("without ReLU:", [correct_after_training(nn.Identity(), seed) for seed in range(10)])
#> without ReLU: [64, 64, 64, 64, 64, 63, 64, 64, 64, 64]
print("with ReLU:   ", [correct_after_training(nn.ReLU(), seed) for seed in range(10)])
#> with ReLU:    [41, 64, 41, 41, 64, 41, 41, 41, 64, 64]
print("always 0:    ", (label == 0).sum().item(), "of", len(x))
#> always 0:     41 of 64

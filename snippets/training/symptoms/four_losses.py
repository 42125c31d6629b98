"""Four runs of one loop: healthy, and with three mistakes."""

import math

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn

digits = load_digits()
pictures = torch.from_numpy(digits.data[:1000]).float() / 16
labels = torch.from_numpy(digits.target[:1000])
torch.manual_seed(3)
others = labels[torch.randperm(1000)]  # each picture has another one's label


def run(pictures, labels, *last):
    """The loss on all pictures before the first step, and after each of ten epochs."""
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10), *last)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
    losses = []
    for epoch in range(11):
        with torch.no_grad():
            losses.append(F.cross_entropy(net(pictures), labels).item())
        for batch in torch.randperm(1000).split(50):
            loss = F.cross_entropy(net(pictures[batch]), labels[batch])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return losses


guessing = [math.log(10)] * 11
healthy = run(pictures, labels)
unscaled = run(16 * pictures, labels)
softmax_twice = run(pictures, labels, nn.Softmax(dim=1))
unpaired = run(pictures, others)
for losses in guessing, healthy, unscaled, softmax_twice, unpaired:
    print(f"{losses[0]:.4f} {losses[1]:.4f} {losses[10]:.4f}")
#> 2.3026 2.3026 2.3026
#> 2.3266 1.5397 0.0985
#> 3.8556 2.3092 2.3025
#> 2.3040 2.2989 1.8602
#> 2.3170 2.3000 2.2552

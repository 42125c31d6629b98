"""One step along the gradient, longer and longer: the five loses its lead."""

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn

digits = load_digits()
pictures = torch.from_numpy(digits.data).float() / 16
labels = torch.from_numpy(digits.target)

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))
optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
for epoch in range(20):
    for batch in torch.randperm(1000).split(50):
        loss = F.cross_entropy(net(pictures[batch]), labels[batch])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

# region: lead
picture = pictures[1003].clone().requires_grad_()
scores = net(picture)
(scores[3] - scores[5]).backward()
towards_three = picture.grad.sign()


def lead(size):
    """How far the score of the five is ahead of the score of the three."""
    scores = net(picture.detach() + size * towards_three)
    return scores[5] - scores[3]


sizes = [0.0, 0.05, 0.1, 0.15, 0.2]
for size in sizes:
    print(size, f"{lead(size).item():.1f}")
#> 0.0 8.4
#> 0.05 4.5
#> 0.1 0.8
#> 0.15 -2.9
#> 0.2 -6.7
print(f"{picture.grad.abs().sum().item():.0f}")
#> 78
# endregion

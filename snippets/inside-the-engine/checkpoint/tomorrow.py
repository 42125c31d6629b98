"""The same training twice, on pictures in the order in which they were collected and on shuffled ones."""
# covers: train.validation-loop

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn

digits = load_digits()
pictures = torch.from_numpy(digits.data).float() / 16
labels = torch.from_numpy(digits.target)


def percent_right(order):
    """Train on the first 1400 in this order; how many of a hundred others are read?"""
    train, aside = order[:1400], order[1400:]
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
    for epoch in range(20):
        for batch in torch.randperm(1400).split(50):
            loss = F.cross_entropy(net(pictures[train[batch]]), labels[train[batch]])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    with torch.no_grad():
        right = net(pictures[aside]).argmax(dim=1) == labels[aside]
    return round(100 * right.float().mean().item())


print(percent_right(torch.arange(1797)))
#> 92
torch.manual_seed(0)
print(percent_right(torch.randperm(1797)))
#> 97

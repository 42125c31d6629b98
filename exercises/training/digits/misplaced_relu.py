"""This network has two layers and a ReLU, but it tells odd from even no better than a single linear layer.

Repair it: more than 380 of the 400 validation pictures must be right, with two linear layers, 32 hidden units and the training as it is.
"""
# exercise: repair
# about: training/digits.md#a-hidden-layer
# hint: Find the numbers that the ReLU receives, and print the smallest of them.
# hint: A ReLU changes only negative numbers. In this network, negative numbers first appear in the result of a linear layer.

# %% start
import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn

digits = load_digits()
images, labels = torch.tensor(digits.data / 16).float(), torch.tensor(digits.target)
is_odd = labels % 2

torch.manual_seed(0)
train, validation, test = torch.randperm(1797).split([1000, 400, 397])
net = nn.Sequential(nn.ReLU(), nn.Linear(64, 32), nn.Linear(32, 2))
optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
for epoch in range(20):
    for batch in train.split(50):
        loss = F.cross_entropy(net(images[batch]), is_odd[batch])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

with torch.no_grad():
    correct = (net(images[validation]).argmax(dim=1) == is_odd[validation]).sum().item()
print(correct)

# %% solution
# - net = nn.Sequential(nn.ReLU(), nn.Linear(64, 32), nn.Linear(32, 2))
# + net = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 2))

# %% right: another activation
# - net = nn.Sequential(nn.ReLU(), nn.Linear(64, 32), nn.Linear(32, 2))
# + net = nn.Sequential(nn.Linear(64, 32), nn.LeakyReLU(), nn.Linear(32, 2))

# %% check
_size = sum(_p.numel() for _p in net.parameters())
with torch.no_grad():
    _a, _b = images[:500], images[500:1000]
    _is_linear = torch.allclose(net(_a) + net(_b), 2 * net((_a + _b) / 2), atol=1e-4)
    _has_no_negative = bool((net(images) >= 0).all())
    _correct = (net(images[validation]).argmax(dim=1) == is_odd[validation]).sum().item()
assert _size <= 2146 or not _is_linear, f"The network has {_size} parameters now and is still equivalent to one linear layer. More parameters don't change that."
assert not _has_no_negative, "Now no score is ever below zero. The ReLU comes after the last layer, so there is still no activation function between the two layers."
assert not _is_linear, "For the mean of two pictures, the network returns the mean of their scores, so it is still linear. The ReLU must receive negative numbers to change anything."
assert _size <= 2146, f"There is an activation function between the layers now, but the network has {_size} parameters. With 32 hidden units and 2 scores it has 2146."
assert _correct > 380, f"There is an activation function between the layers now, but only {_correct} pictures are right. Give the network 32 hidden units and the learning rate that it had."

# %% wrong: wider
# - net = nn.Sequential(nn.ReLU(), nn.Linear(64, 32), nn.Linear(32, 2))
# + net = nn.Sequential(nn.ReLU(), nn.Linear(64, 200), nn.Linear(200, 2))

# %% wrong: ten scores
# - net = nn.Sequential(nn.ReLU(), nn.Linear(64, 32), nn.Linear(32, 2))
# + net = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))

# %% wrong: a ReLU behind the scores
# - net = nn.Sequential(nn.ReLU(), nn.Linear(64, 32), nn.Linear(32, 2))
# + net = nn.Sequential(nn.Linear(64, 32), nn.Linear(32, 2), nn.ReLU())

# %% wrong: two hidden units
# - net = nn.Sequential(nn.ReLU(), nn.Linear(64, 32), nn.Linear(32, 2))
# + net = nn.Sequential(nn.Linear(64, 2), nn.ReLU(), nn.Linear(2, 2))

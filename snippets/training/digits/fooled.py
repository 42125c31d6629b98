"""A change of 0.1 in each pixel, at random and along the gradient."""

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

# region: fooled
def wrong(pictures):
    """How many of the hundred pictures are misread."""
    with torch.no_grad():
        return (net(pictures).argmax(dim=1) != labels[1000:1100]).sum().item()


hundred = pictures[1000:1100].clone().requires_grad_()
loss = F.cross_entropy(net(hundred), labels[1000:1100])
loss.backward()
before = hundred.detach()
print(wrong(before))
#> 1

random = torch.randint(0, 2, (100, 64)) * 2 - 1
print(wrong((before + 0.1 * random).clamp(0, 1)))
#> 2

chosen = hundred.grad.sign()
print(wrong((before + 0.1 * chosen).clamp(0, 1)))
#> 39
# endregion

"""A hidden layer of 32 units between the picture and the ten scores."""
# covers: module.param-count.function

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn

digits = load_digits()
pictures = torch.from_numpy(digits.data).float() / 16
labels = torch.from_numpy(digits.target)

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))
print(sum(p.numel() for p in net.parameters()))
#> 2410

optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
for epoch in range(20):
    for batch in torch.randperm(1000).split(50):
        loss = F.cross_entropy(net(pictures[batch]), labels[batch])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

with torch.no_grad():
    right = net(pictures).argmax(dim=1) == labels
print(right[:1000].sum())
#> tensor(991)
print(right[1000:].sum())
#> tensor(743)

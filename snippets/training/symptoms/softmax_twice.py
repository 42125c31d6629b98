"""The same ten pictures, and a softmax before a loss that has its own."""

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn

digits = load_digits()
pictures = torch.from_numpy(digits.data[:10]).float() / 16
labels = torch.from_numpy(digits.target[:10])

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10), nn.Softmax(dim=1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
for step in range(201):
    loss = F.cross_entropy(net(pictures), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 50 == 0:
        print(step, f"{loss.item():.4f}")
#> 0 2.3041
#> 50 2.2599
#> 100 1.9435
#> 150 1.5171
#> 200 1.4776

certain = F.one_hot(labels, 10).float()  # the best that a softmax can give
print(f"{F.cross_entropy(certain, labels):.4f}")
#> 1.4612

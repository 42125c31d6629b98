"""Pictures from 0 to 16, and a learning rate for pictures from 0 to 1."""

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn

digits = load_digits()
pictures = torch.from_numpy(digits.data).float()
labels = torch.from_numpy(digits.target)

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))
optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
for step in range(101):
    batch = torch.randperm(1000)[:50]
    loss = F.cross_entropy(net(pictures[batch]), labels[batch])
    optimizer.zero_grad()
    loss.backward()
    if step % 50 == 0:
        weight = net[2].weight
        print(step, f"{loss.item():.4f}", f"{weight.abs().max():.4f}", f"{0.5 * weight.grad.abs().max():.4f}")
    optimizer.step()
#> 0 3.6471 0.1764 1.0051
#> 50 2.2883 9.2603 0.0000
#> 100 2.2992 9.2603 0.0000

for name, parameter in net.named_parameters():
    print(name, f"{parameter.grad.abs().max():.4f}")
#> 0.weight 0.0000
#> 0.bias 0.0000
#> 2.weight 0.0000
#> 2.bias 0.0599

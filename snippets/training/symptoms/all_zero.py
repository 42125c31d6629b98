"""A network whose weights and biases all begin at zero."""

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn

digits = load_digits()
pictures = torch.from_numpy(digits.data).float() / 16
labels = torch.from_numpy(digits.target)

net = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))
for parameter in net.parameters():
    nn.init.zeros_(parameter)

F.cross_entropy(net(pictures), labels).backward()
print(net[0].weight.grad.abs().max())
#> tensor(0.)
for name, parameter in net.named_parameters():
    print(name, f"{parameter.grad.abs().max():.4f}")
#> 0.weight 0.0000
#> 0.bias 0.0000
#> 2.weight 0.0000
#> 2.bias 0.0032

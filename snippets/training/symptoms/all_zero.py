"""The gradients of a network whose weights and biases all start at zero."""

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn

digits = load_digits()
images, labels = torch.tensor(digits.data / 16).float(), torch.tensor(digits.target)

net = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))
for parameter in net.parameters():
    nn.init.zeros_(parameter)

F.cross_entropy(net(images), labels).backward()
print(net[0].weight.grad.abs().max())
#> tensor(0.)
for name, parameter in net.named_parameters():
    print(name, f"{parameter.grad.abs().max():.4f}")
#> 0.weight 0.0000
#> 0.bias 0.0000
#> 2.weight 0.0000
#> 2.bias 0.0032

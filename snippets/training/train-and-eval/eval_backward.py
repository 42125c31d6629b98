"""A model in evaluation mode can be trained, with frozen running averages."""
# covers: tricks.eval-vs-nograd tricks.model-eval

import torch
from torch import nn

net = nn.Sequential(nn.Linear(1, 1), nn.BatchNorm1d(1)).eval()
net(torch.ones(2, 1)).sum().backward()
print(net[1].weight.grad is not None, net[0].weight.grad is not None)
#> True True
print(net[1].running_mean)
#> tensor([0.])

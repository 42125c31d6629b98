"""`eval` sets one flag in the whole tree; each layer decides how to use it."""
# covers: tricks.model-eval tricks.model-train

import torch
from torch import nn

net = nn.Sequential(nn.Linear(2, 2), nn.Sequential(nn.BatchNorm1d(2), nn.Dropout()))
print([module.training for module in net.modules()])
#> [True, True, True, True, True]
print(net.eval() is net, [module.training for module in net.modules()])
#> True [False, False, False, False, False]

net.train()
net[1][0].eval()
print([module.training for module in net.modules()])
#> [True, True, True, False, True]
net.train()
print([module.training for module in net.modules()])
#> [True, True, True, True, True]

net.eval()
print(all(parameter.requires_grad for parameter in net.parameters()))
#> True

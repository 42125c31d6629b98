"""The optimizer updates the parameters that you passed to it, and no later ones."""
# covers: module.parameter-registration

import torch
from torch import nn

net = nn.Sequential(nn.Linear(2, 2))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
net.append(nn.Linear(2, 1))
print(len(list(net.parameters())))
#> 4
print(sum(len(group["params"]) for group in optimizer.param_groups))
#> 2

optimizer.add_param_group({"params": net[1].parameters(), "lr": 0.01})
print([(len(group["params"]), group["lr"]) for group in optimizer.param_groups])
#> [(2, 0.1), (2, 0.01)]

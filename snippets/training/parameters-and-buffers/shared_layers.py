"""A parameter with two names is counted once, and saved under both."""
# covers: module.param-count.function module.param-count.why

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 1, 3, bias=False)
        self.conv2 = self.conv1
        self.conv3 = nn.Conv2d(1, 1, 3, bias=False)
        self.conv3.weight = self.conv1.weight


net = Net()
print(sum(p.numel() for p in net.parameters()))
#> 9
print([name for name, _ in net.named_parameters()])
#> ['conv1.weight']
print([name for name, _ in net.named_parameters(remove_duplicate=False)])
#> ['conv1.weight', 'conv2.weight', 'conv3.weight']
print(len(list(net.children())), len(list(net.modules())))
#> 2 3
print(list(net.state_dict()))
#> ['conv1.weight', 'conv2.weight', 'conv3.weight']

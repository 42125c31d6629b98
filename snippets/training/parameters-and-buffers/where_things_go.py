"""Assigning to an attribute registers a value by its type."""
# covers: module.parameter-registration module.state-params-buffers module.internals

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 1)
        self.scale = nn.Parameter(torch.ones(1))
        self.register_buffer("mean", torch.zeros(2))
        self.shift = nn.Buffer(torch.zeros(2))
        self.plain = torch.ones(2)
        self.width = 2


net = Net()
print(list(net._modules))
#> ['layer']
print(list(net._parameters))
#> ['scale']
print(list(net._buffers))
#> ['mean', 'shift']
print("plain" in vars(net), "width" in vars(net), "scale" in vars(net))
#> True True False

print(isinstance(net.scale, nn.Module), isinstance(net.scale, torch.Tensor))
#> False True
print([name for name, _ in net.named_parameters()])
#> ['scale', 'layer.weight', 'layer.bias']
print(list(net.state_dict()))
#> ['scale', 'mean', 'shift', 'layer.weight', 'layer.bias']

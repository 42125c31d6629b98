"""`to` converts the tensors of the children first, and then those of the module itself."""
# covers: gpu.module-to

import torch
from torch import nn


def move(module, function):
    for child in module.children():
        move(child, function)
    for name, parameter in module._parameters.items():
        if parameter is not None:
            parameter.data = function(parameter.data)
            if parameter.grad is not None:
                parameter.grad = function(parameter.grad)
    for name, buffer in module._buffers.items():
        if buffer is not None:
            module._buffers[name] = function(buffer)
    return module


def convert(t):
    return t.to(torch.float64) if t.is_floating_point() else t


net = nn.Sequential(nn.Linear(2, 2, bias=False), nn.BatchNorm1d(2))
print(sorted({str(t.dtype) for t in net.state_dict().values()}))
#> ['torch.float32', 'torch.int64']
print(sorted({str(t.dtype) for t in move(net, convert).state_dict().values()}))
#> ['torch.float64', 'torch.int64']
print(net[0]._parameters["bias"])
#> None

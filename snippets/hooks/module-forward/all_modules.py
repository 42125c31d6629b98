"""A global hook is called for every module."""

import torch
from torch import nn
from torch.nn.modules.module import register_module_forward_hook

model = nn.Sequential(nn.Linear(3, 4), nn.Sequential(nn.ReLU(), nn.Linear(4, 1)))


def print_shape(module, inputs, output):
    print(type(module).__name__, tuple(output.shape))


handle = register_module_forward_hook(print_shape)
output = model(torch.ones(2, 3))
#> Linear (2, 4)
#> ReLU (2, 4)
#> Linear (2, 1)
#> Sequential (2, 1)
#> Sequential (2, 1)
handle.remove()

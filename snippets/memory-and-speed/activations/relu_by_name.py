"""A search by name also finds a module without an in-place mode."""
# covers: memory.relu-inplace

import torch
from torch import nn


def inplace_relu(module):
    if type(module).__name__.find("ReLU") != -1:
        module.inplace = True


for module in (nn.ReLU(), nn.LeakyReLU(), nn.PReLU(), nn.ReLU6()):
    inplace_relu(module)
    print(type(module).__name__, "inplace" in type(module).__init__.__code__.co_varnames, module)
#> ReLU True ReLU(inplace=True)
#> LeakyReLU True LeakyReLU(negative_slope=0.01, inplace=True)
#> PReLU False PReLU(num_parameters=1)
#> ReLU6 True ReLU6(inplace=True)

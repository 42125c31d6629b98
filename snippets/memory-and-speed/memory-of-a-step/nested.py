"""`modules()` lists a container and its contents, so `modelsize` counts the contents twice."""
# covers: memory.modelsize-snippet

import torch
from torch import nn

model = nn.Sequential(nn.Sequential(nn.Linear(4, 4), nn.ReLU()), nn.Linear(4, 4))
print([type(m).__name__ for m in model.modules()])
#> ['Sequential', 'Sequential', 'Linear', 'ReLU', 'Linear']
layers = [m for m in model.modules() if not list(m.children())]
print([type(m).__name__ for m in layers])
#> ['Linear', 'ReLU', 'Linear']


def outputs(modules):
    x, numbers = torch.zeros(1, 4), 0
    for module in modules:
        x = module(x)
        numbers += x.numel()
    return numbers


print(outputs(list(model.modules())[1:]), outputs(layers))
#> 16 12

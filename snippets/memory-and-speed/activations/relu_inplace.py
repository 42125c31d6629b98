"""With `inplace=True`, each ReLU overwrites its input."""
# covers: memory.relu-inplace

import torch
from torch import nn


def inplace_relu(module):
    if type(module).__name__.find("ReLU") != -1:
        module.inplace = True


def blocks(model):
    x = torch.ones(4, 4)
    outputs = []
    for layer in model:
        x = layer(x)
        outputs.append(x)
    return len({t.data_ptr() for t in outputs})


model = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 4), nn.ReLU())
print(blocks(model))
#> 4
model.apply(inplace_relu)
print(model)
#> Sequential(
#>   (0): Linear(in_features=4, out_features=4, bias=True)
#>   (1): ReLU(inplace=True)
#>   (2): Linear(in_features=4, out_features=4, bias=True)
#>   (3): ReLU(inplace=True)
#> )
print(blocks(model))
#> 2

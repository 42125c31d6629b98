"""A sum of losses keeps every graph alive; a sum of numbers keeps none."""
# covers: train.validation-loop

import gc
import weakref

import torch
from torch import nn

layer = nn.Linear(2, 1)
layers_input = []
total = 0
for _ in range(3):
    x = torch.ones(4, 2)
    layers_input.append(weakref.ref(x))
    total = total + layer(x).mean()
del x
gc.collect()
print(sum(reference() is not None for reference in layers_input), total.requires_grad)
#> 3 True

layers_input.clear()
total = 0
for _ in range(3):
    x = torch.ones(4, 2)
    layers_input.append(weakref.ref(x))
    total = total + layer(x).mean().item()
del x
gc.collect()
print(sum(reference() is not None for reference in layers_input), type(total).__name__)
#> 0 float

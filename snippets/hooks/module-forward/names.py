"""A lambda in a loop looks up the last name, and `functools.partial` stores the right one."""

from functools import partial

import torch
from torch import nn

model = nn.Sequential()
model.add_module("first", nn.Linear(3, 4))
model.add_module("second", nn.Linear(4, 2))
x = torch.ones(1, 3)

handles = [
    module.register_forward_hook(lambda m, i, o: print(name))
    for name, module in model.named_children()
]
model(x)
#> second
#> second
for handle in handles:
    handle.remove()


def show(name, module, inputs, output):
    print(name, tuple(output.shape))


for name, module in model.named_children():
    module.register_forward_hook(partial(show, name))
output = model(x)
#> first (1, 4)
#> second (1, 2)

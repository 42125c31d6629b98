"""The same method, taken from the class, is called with one argument too few."""
# covers: hooks.hook-as-method

import torch
from torch import nn


class Recorder:
    def hook(self, module, inputs, output):
        print(tuple(output.shape))


layer = nn.Linear(3, 2)

# From an object: self is filled in.
with layer.register_forward_hook(Recorder().hook):
    layer(torch.ones(4, 3))
#> (4, 2)

# From the class: nobody fills it in.
with layer.register_forward_hook(Recorder.hook):
    layer(torch.ones(4, 3))
#! TypeError: Recorder.hook() missing 1 required positional argument: 'output'

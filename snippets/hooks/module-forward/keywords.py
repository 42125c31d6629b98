"""A hook receives positional arguments only, and those passed by name with `with_kwargs=True`."""
# covers: hooks.module-forward-hook

import torch
from torch import nn


class Scale(nn.Module):
    def forward(self, x, factor=1.0):
        return x * factor


layer = Scale()
x = torch.ones(1)

with layer.register_forward_hook(lambda module, inputs, output: print(inputs)):
    layer(x, factor=3.0)
#> (tensor([1.]),)


def with_keywords(module, inputs, keywords, output):
    print(inputs, keywords)


with layer.register_forward_hook(with_keywords, with_kwargs=True):
    layer(x, factor=3.0)
#> (tensor([1.]),) {'factor': 3.0}

# The number of arguments must fit.
with layer.register_forward_hook(with_keywords):
    layer(x)
#! TypeError: with_keywords() missing 1 required positional argument: 'output'

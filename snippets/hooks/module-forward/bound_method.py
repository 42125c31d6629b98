"""A bound method works as a hook, because Python passes `self`."""
# covers: hooks.hook-as-method

import torch
from torch import nn


class Recorder:
    def __init__(self):
        self.shapes = []

    def hook(self, module, inputs, output):
        self.shapes.append(tuple(output.shape))


recorder = Recorder()
layer = nn.Linear(3, 2)
layer.register_forward_hook(recorder.hook)

layer(torch.ones(4, 3))
layer(torch.ones(5, 3))
print(recorder.shapes)
#> [(4, 2), (5, 2)]

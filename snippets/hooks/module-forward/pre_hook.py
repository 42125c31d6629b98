"""A forward pre-hook receives the input before `forward`, and may replace it."""

import torch
from torch import nn

layer = nn.Linear(2, 1, bias=False)
nn.init.ones_(layer.weight)


def shift(module, inputs):
    print("before:", inputs)
    return inputs[0] + 100


with layer.register_forward_pre_hook(shift):
    print(layer(torch.tensor([[1.0, 2.0]])))
#> before: (tensor([[1., 2.]]),)
#> tensor([[203.]], grad_fn=<MmBackward0>)

"""Hooks run when the module is called, but not when its `forward` is called."""
# covers: hooks.module-forward-hook

import torch
from torch import nn

layer = nn.Identity()
layer.register_forward_hook(lambda module, inputs, output: print("hook"))
x = torch.ones(1)

layer(x)
#> hook
layer.forward(x)

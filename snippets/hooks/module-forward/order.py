"""`prepend` changes the order of hooks, and a hook with `always_call` runs even if `forward` fails."""
# covers: hooks.module-forward-hook

import torch
from torch import nn


class Picky(nn.Module):
    def forward(self, x):
        if x.sum() < 0:
            raise ValueError("negative")
        return x


layer = Picky()
layer.register_forward_hook(lambda module, inputs, output: print("first registered"))
layer.register_forward_hook(lambda module, inputs, output: print("put in front"), prepend=True)
layer.register_forward_hook(lambda module, inputs, output: print("always:", output), always_call=True)

layer(torch.tensor([1.0]))
#> put in front
#> first registered
#> always: tensor([1.])
layer(torch.tensor([-1.0]))
#> always: None
#! ValueError: negative

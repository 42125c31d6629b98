"""Call the module, not its `forward`."""
# covers: module.forward-auto-backward

import torch
from torch import nn

layer = nn.Linear(2, 2)
layer.register_forward_hook(lambda module, args, output: print("hook"))
out = layer(torch.ones(2))
#> hook
out = layer.forward(torch.ones(2))


class Misspelt(nn.Module):
    def foward(self, x):
        return x


Misspelt()(torch.ones(2))
#! NotImplementedError: Module [Misspelt] is missing the required "forward" function

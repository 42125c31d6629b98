"""A plain number may be set before the parent's constructor; a module without a constructor gets the parent's."""
# covers: module.super-init

import torch
from torch import nn


class WidthFirst(nn.Module):
    def __init__(self, width):
        self.width = width
        super().__init__()
        self.layer = nn.Linear(width, width)


print(WidthFirst(2))
#> WidthFirst(
#>   (layer): Linear(in_features=2, out_features=2, bias=True)
#> )


class Nothing(nn.Module):
    def forward(self, x):
        return 2 * x


print(Nothing()(torch.ones(2)))
#> tensor([2., 2.])

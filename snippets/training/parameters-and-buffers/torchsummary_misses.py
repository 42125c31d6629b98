"""Counting by `weight` and `bias`, as torchsummary does, misses parameters of other names."""
# covers: module.param-count.torchsummary

import torch
from torch import nn


class Scale(nn.Module):
    def __init__(self):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(4))

    def forward(self, x):
        return self.gain * x


def count(layer):
    """The rule of torchsummary 1.5.1, for one layer."""
    return sum(getattr(layer, name).numel() for name in ("weight", "bias") if hasattr(layer, name))


net = nn.Sequential(nn.Linear(4, 4), Scale())
print([count(layer) for layer in net])
#> [20, 0]
print([sum(p.numel() for p in layer.parameters()) for layer in net])
#> [20, 4]

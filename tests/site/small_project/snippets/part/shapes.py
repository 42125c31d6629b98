"""Shapes to be drawn."""

import torch
from torch import nn

grid = torch.arange(6).reshape(2, 3)
column, row = torch.tensor([[1.0], [2.0]]), torch.tensor([1.0, 2.0, 3.0])
label = torch.tensor([[2], [0], [2]])
image = torch.arange(16.0).reshape(1, 1, 4, 4)
kernel = torch.ones(1, 1, 3, 3)
falling, rising = [4.0, 2.0, 1.0], [1.0, 1.5, 3.0]
point, steps = [2.0, -1.0], [[2.0, -1.0], [1.0, 0.5]]


def parabola(x):
    return x * x


def bowl(x, y):
    return x * x + 3 * y * y


counts = {"all": 12, "some": 5}
sizes = {"a": torch.ones(2), "b": torch.ones(5)}
# region: shown
print(grid.stride(), (column - row).shape)
#> (3, 1) torch.Size([2, 3])
# endregion

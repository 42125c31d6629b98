"""The loss for every weight is a curve, and the slope changes along it."""

import torch

x = torch.tensor([0.0, 0.25, 0.75, 1.0])
y = torch.tensor([0.0, 0.0, 1.0, 1.0])


def loss(w):
    return ((w * x - y) ** 2).mean()


def slope(w):
    return (2 * (w * x - y) * x).mean()


start = 0.0
print(loss(start), slope(start))
#> tensor(0.5000) tensor(-0.8750)
print(loss(2.0))
#> tensor(0.3750)
print(slope(2.0))
#> tensor(0.7500)

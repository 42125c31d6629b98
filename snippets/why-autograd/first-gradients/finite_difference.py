"""A small step to either side of a weight shows the slope of the loss."""

import torch

x = torch.tensor([0.0, 0.25, 0.75, 1.0], dtype=torch.float64)  # ink in the middle
y = torch.tensor([0.0, 0.0, 1.0, 1.0], dtype=torch.float64)  # labels: zero, zero, one, one


def loss(w):
    return ((w * x - y) ** 2).mean()


h = 1e-3
print(loss(0.0))
#> tensor(0.5000, dtype=torch.float64)
print((loss(0.0 + h) - loss(0.0 - h)) / (2 * h))
#> tensor(-0.8750, dtype=torch.float64)

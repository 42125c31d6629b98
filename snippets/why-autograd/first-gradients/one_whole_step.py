"""The slope is not the change for a step of one."""

import torch

x = torch.tensor([0.0, 0.25, 0.75, 1.0])
y = torch.tensor([0.0, 0.0, 1.0, 1.0])


def loss(w):
    return ((w * x - y) ** 2).mean()


for step in (1.0, 0.1, 0.001):
    change = loss(step) - loss(0.0)
    print(step, round((change / step).item(), 4))
#> 1.0 -0.4688
#> 0.1 -0.8344
#> 0.001 -0.8746

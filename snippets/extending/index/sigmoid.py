"""The derivative of the sigmoid, as a formula and as a finite difference."""

import torch

x = torch.tensor([-2.0, 0.0, 2.0], dtype=torch.float64)
s = torch.sigmoid(x)
print(s * (1 - s))
#> tensor([0.1050, 0.2500, 0.1050], dtype=torch.float64)

step = 0.001
print((torch.sigmoid(x + step) - torch.sigmoid(x - step)) / (2 * step))
#> tensor([0.1050, 0.2500, 0.1050], dtype=torch.float64)

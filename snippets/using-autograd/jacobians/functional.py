"""`torch.autograd.functional.jacobian` computes a whole Jacobian."""

import torch
from torch.autograd.functional import jacobian

x = torch.tensor([1.0, 2.0, 3.0])


def f(x):
    return torch.stack([x[0] * x[1], x[1] * x[2] ** 2])


print(jacobian(f, x))
#> tensor([[ 2.,  1.,  0.],
#>         [ 0.,  9., 12.]])

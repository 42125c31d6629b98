"""Arithmetic works element by element, and so does `*`."""
# covers: tensor-ops.math

import torch

a = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
b = torch.tensor([[10.0, 20.0], [30.0, 40.0]])
print(a + b)
#> tensor([[11., 22.],
#>         [33., 44.]])
print(a * b)
#> tensor([[ 10.,  40.],
#>         [ 90., 160.]])
print(a**2)
#> tensor([[ 1.,  4.],
#>         [ 9., 16.]])
print(torch.sin(torch.tensor([0.0, torch.pi / 2])))
#> tensor([0., 1.])

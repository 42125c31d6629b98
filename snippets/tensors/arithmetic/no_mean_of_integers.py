"""A dimension must exist, and a mean needs floats."""

import torch

points = torch.tensor([3, 4, 8])
print(points.sum(dim=0), points.double().mean())
#> tensor(15) tensor(5., dtype=torch.float64)

try:
    points.sum(dim=1)
except IndexError as error:
    print(error)
#> Dimension out of range (expected to be in range of [-1, 0], but got 1)

points.mean()
#! RuntimeError: mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: Long

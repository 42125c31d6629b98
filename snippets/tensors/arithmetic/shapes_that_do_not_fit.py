"""A matrix product needs as many columns on the left as rows on the right."""

import torch

points = torch.ones(5, 2)
weights = torch.ones(3, 2)
print((points @ weights.T).shape)
#> torch.Size([5, 3])
points @ weights
#! RuntimeError: mat1 and mat2 shapes cannot be multiplied (5x2 and 3x2)

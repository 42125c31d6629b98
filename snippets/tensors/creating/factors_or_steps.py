"""Five points from 1 to 16, by equal factors and by equal steps."""

import torch

factors = torch.logspace(0, 4, 5, base=2)
steps = torch.linspace(1, 16, 5)
print(factors)
#> tensor([ 1.,  2.,  4.,  8., 16.])
print(steps)
#> tensor([ 1.0000,  4.7500,  8.5000, 12.2500, 16.0000])

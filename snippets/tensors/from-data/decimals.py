"""Floats print with four decimals, unless every value is whole."""
# covers: tensor-create.array-example

import torch

print(torch.tensor([[1.0, 3.8, 2.1], [8.6, 4.0, 2.4]]))
#> tensor([[1.0000, 3.8000, 2.1000],
#>         [8.6000, 4.0000, 2.4000]])
print(torch.tensor([[1.0, 3.0, 2.0], [8.0, 4.0, 2.0]]))
#> tensor([[1., 3., 2.],
#>         [8., 4., 2.]])

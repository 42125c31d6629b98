"""`linspace` divides an interval evenly, both ends included."""
# covers: tensor-create.linspace

import torch

print(torch.linspace(3, 10, 5))
#> tensor([ 3.0000,  4.7500,  6.5000,  8.2500, 10.0000])
print(torch.linspace(1, 5, 3))
#> tensor([1., 3., 5.])
print(torch.linspace(1, 5, 1))
#> tensor([1.])

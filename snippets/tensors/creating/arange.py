"""`arange` counts from start up to, but not including, end."""
# covers: tensor-create.arange

import torch

print(torch.arange(5))
#> tensor([0, 1, 2, 3, 4])
print(torch.arange(1, 4))
#> tensor([1, 2, 3])
print(torch.arange(1, 2.5, 0.5))
#> tensor([1.0000, 1.5000, 2.0000])
print(torch.arange(1, 2.51, 0.5))
#> tensor([1.0000, 1.5000, 2.0000, 2.5000])

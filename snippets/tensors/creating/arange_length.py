"""The length of `arange` is (end - start) / step, rounded up."""
# covers: tensor-create.arange

import math

import torch

print((2.51 - 1) / 0.5)
#> 3.0199999999999996
print(math.ceil((2.51 - 1) / 0.5), len(torch.arange(1, 2.51, 0.5)))
#> 4 4
print((2.5 - 1) / 0.5, len(torch.arange(1, 2.5, 0.5)))
#> 3.0 3

"""`linspace` has no default for `steps`."""

import torch

print(len(torch.linspace(3, 10, steps=100)))
#> 100
torch.linspace(3, 10)
#! TypeError: linspace() received an invalid combination of arguments - got (int, int), ...

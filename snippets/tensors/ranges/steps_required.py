"""`steps` has no default any more."""

import torch

torch.linspace(3, 10)
#! TypeError: linspace() received an invalid combination of arguments - got (int, int), ...
torch.logspace(0, 1)
#! TypeError: logspace() received an invalid combination of arguments - got (int, int), ...
print(len(torch.linspace(3, 10, steps=100)))
#> 100

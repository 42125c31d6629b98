"""`logspace` has no default for `steps`."""

import torch

print(len(torch.logspace(0, 1, steps=100)))
#> 100
torch.logspace(0, 1)
#! TypeError: logspace() received an invalid combination of arguments - got (int, int), ...

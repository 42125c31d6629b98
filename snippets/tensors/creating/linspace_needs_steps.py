"""`linspace` and `logspace` require the number of points."""

import torch

print(len(torch.linspace(3, 10, steps=100)))
#> 100
try:
    torch.logspace(3, 10)
except TypeError as error:
    print(str(error).partition(" - ")[0])
#> logspace() received an invalid combination of arguments
torch.linspace(3, 10)
#! TypeError: linspace() received an invalid combination of arguments - got (int, int), ...

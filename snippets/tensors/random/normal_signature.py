"""`mean` has no default, and two numbers require a size."""
# covers: tensor-random.normal.four-modes

import torch

torch.manual_seed(0)
print(torch.normal(torch.tensor([0.0, 100.0])))
#> tensor([ 1.5410, 99.7066])

try:
    torch.normal(std=torch.ones(2))
except TypeError as error:
    print(error)
#> normal() missing 1 required positional arguments: "mean"
torch.normal(0.0, 1.0)
#! TypeError: normal() received an invalid combination of arguments - got (float, float), ...

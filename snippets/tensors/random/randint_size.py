"""The size of `randint` is a tuple, even for a vector."""

import torch

torch.manual_seed(0)
print(torch.randint(3, 10, (4,)))
#> tensor([7, 6, 3, 5])
torch.randint(3, 10, 4)
#! TypeError: randint() received an invalid combination of arguments - got (int, int, int), ...

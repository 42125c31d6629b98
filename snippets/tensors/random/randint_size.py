"""`size` is a tuple, and the range may not be empty."""

import torch

torch.randint(3, 10, 4)
#! TypeError: randint() received an invalid combination of arguments - got (int, int, int), ...
torch.randint(3, 3, (4,))
#! RuntimeError: random_ expects 'from' to be less than 'to', but got from=3 >= to=3

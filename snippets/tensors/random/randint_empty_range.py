"""`low` must be smaller than `high`."""

import torch

print(torch.randint(3, 4, (4,)))
#> tensor([3, 3, 3, 3])
torch.randint(3, 3, (4,))
#! RuntimeError: random_ expects 'from' to be less than 'to', but got from=3 >= to=3

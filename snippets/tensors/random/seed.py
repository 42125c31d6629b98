"""`seed()` draws a random seed, sets it, and returns it."""
# covers: rng.seed

import torch

torch.manual_seed(7)
before = torch.rand(2)

seed = torch.seed()
print(type(seed), 0 <= seed < 2**64)
#> <class 'int'> True
print(torch.initial_seed() == seed)
#> True
again = torch.rand(2)
print(torch.equal(before, again))
#> False

torch.manual_seed(seed)
print(torch.equal(torch.rand(2), again))
#> True

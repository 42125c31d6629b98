"""The same seed gives the same numbers."""
# covers: rng.concept rng.manual-seed

import torch

print(torch.equal(torch.rand(3), torch.rand(3)))
#> False

torch.manual_seed(7)
first = torch.rand(3)
torch.manual_seed(7)
second = torch.rand(3)
print(first)
#> tensor([0.5349, 0.1988, 0.6592])
print(torch.equal(first, second))
#> True

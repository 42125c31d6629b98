"""A separate generator has its own stream of random numbers."""

import torch

g = torch.Generator()
g.manual_seed(7)
torch.manual_seed(0)
print(torch.rand(2, generator=g))
#> tensor([0.5349, 0.1988])
print(torch.rand(2))
#> tensor([0.4963, 0.7682])
print(torch.rand(2, generator=g))
#> tensor([0.6592, 0.6569])

"""`rand` draws from the uniform distribution on [0, 1)."""
# covers: tensor-random.rand

import torch

torch.manual_seed(0)
print(torch.rand(2, 3))
#> tensor([[0.4963, 0.7682, 0.0885],
#>         [0.1320, 0.3074, 0.6341]])
sample = torch.rand(100_000)
print(sample.min() >= 0, sample.max() < 1)
#> tensor(True) tensor(True)
print(round(sample.mean().item(), 2), round(sample.var().item(), 3), round(1 / 12, 3))
#> 0.5 0.083 0.083

"""`randn` draws from the standard normal distribution."""
# covers: tensor-random.randn

import torch

torch.manual_seed(0)
print(torch.randn(2, 3))
#> tensor([[ 1.5410, -0.2934, -2.1788],
#>         [ 0.5684, -1.0845, -1.3986]])
sample = torch.randn(100_000)
print(round(sample.mean().item(), 2), round(sample.std().item(), 2))
#> -0.0 1.0

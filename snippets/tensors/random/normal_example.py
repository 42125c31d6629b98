"""Ten draws, each with its own mean and standard deviation."""
# covers: tensor-random.normal.example

import torch

torch.manual_seed(0)
mean = torch.arange(1.0, 11.0)
std = torch.arange(1, 0, -0.1)
print(mean)
#> tensor([ 1.,  2.,  3.,  4.,  5.,  6.,  7.,  8.,  9., 10.])
print(std)
#> tensor([1.0000, 0.9000, 0.8000, 0.7000, 0.6000, 0.5000, 0.4000, 0.3000, 0.2000,
#>         0.1000])
draw = torch.normal(mean, std)
print(draw)
#> tensor([2.5410, 1.7359, 1.2570, 4.3979, 4.3493, 5.3007, 7.1613, 8.2514, 8.8561,
#>         9.9597])
print((draw - mean) / std)
#> tensor([ 1.5410, -0.2934, -2.1788,  0.5684, -1.0845, -1.3986,  0.4033,  0.8380,
#>         -0.7193, -0.4033])

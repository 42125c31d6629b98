"""`bernoulli` tosses one coin per element, whose value is the probability of 1."""
# covers: tensor-random.bernoulli

import torch

torch.manual_seed(0)
p = torch.rand(3, 3)
print(p)
#> tensor([[0.4963, 0.7682, 0.0885],
#>         [0.1320, 0.3074, 0.6341],
#>         [0.4901, 0.8964, 0.4556]])
print(torch.bernoulli(p))
#> tensor([[0., 1., 0.],
#>         [1., 1., 1.],
#>         [0., 1., 0.]])

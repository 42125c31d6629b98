"""The means of many tosses approach the probabilities."""
# covers: tensor-random.bernoulli

import torch

torch.manual_seed(0)
p = torch.tensor([[0.7566, 0.2899, 0.4688], [0.1662, 0.8341, 0.9572], [0.6060, 0.4685, 0.6366]])
print(torch.bernoulli(p))
#> tensor([[1., 0., 1.],
#>         [1., 1., 1.],
#>         [1., 0., 1.]])
print(torch.bernoulli(p.expand(10_000, 3, 3)).mean(0))
#> tensor([[0.7588, 0.2936, 0.4626],
#>         [0.1612, 0.8373, 0.9573],
#>         [0.5973, 0.4771, 0.6436]])

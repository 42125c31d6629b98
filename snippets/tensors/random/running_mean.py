"""The fraction of ones after each of 400 tosses."""
# covers: tensor-random.bernoulli

import torch

torch.manual_seed(0)
tosses = torch.bernoulli(torch.full((400,), 0.75))
share = tosses.cumsum(0) / torch.arange(1, 401)
print(share[[9, 99, 399]])
#> tensor([0.8000, 0.7700, 0.7575])

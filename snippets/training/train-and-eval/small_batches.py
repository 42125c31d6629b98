"""In training mode, the result for one sample depends on the others in its batch."""
# covers: tricks.model-eval

import torch
from torch import nn

sample = torch.tensor([[1.0]])
others = [torch.tensor([[0.0], [4.0]]), torch.tensor([[0.0], [1.0]]), torch.tensor([[1.0], [7.0]])]

norm = nn.BatchNorm1d(1)
for other in others:
    result = norm(torch.cat([sample, other]))[0]
    print(round(result.item(), 3))
#> -0.392
#> 0.707
#> -0.707

norm = nn.BatchNorm1d(1).eval()
for other in others:
    result = norm(torch.cat([sample, other]))[0]
    print(round(result.item(), 3))
#> 1.0
#> 1.0
#> 1.0

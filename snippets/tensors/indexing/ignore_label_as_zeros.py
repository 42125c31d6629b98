"""A label to ignore becomes a row of zeros."""

import torch

index = torch.tensor([[0], [255]])
keep = index < 3
print(torch.zeros(2, 3).scatter_(1, index.clamp(max=2), keep.float()))
#> tensor([[1., 0., 0.],
#>         [0., 0., 0.]])

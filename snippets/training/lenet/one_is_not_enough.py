"""In training, batch norm needs more than one value for each channel."""
# covers: module.minibatch-only

import torch
from torch import nn

norm = nn.BatchNorm1d(3)
one = torch.rand(1, 3)
try:
    norm(one)
except ValueError as error:
    print(error)
#> Expected more than 1 value per channel when training, got input size torch.Size([1, 3])

norm.eval()
print(norm(one).shape)
#> torch.Size([1, 3])

"""`randn(0, 10)` is not a row of ten numbers, because it has no elements."""

import torch

print(torch.randn(0, 10).shape)
#> torch.Size([0, 10])
torch.randn(0, 10).view(1, 10)
#! RuntimeError: shape '[1, 10]' is invalid for input of size 0

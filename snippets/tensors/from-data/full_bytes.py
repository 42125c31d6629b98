"""Integers overflow without an error."""

import torch

t = torch.tensor([10, 250], dtype=torch.uint8)
print(2 * t)
#> tensor([ 20, 244], dtype=torch.uint8)

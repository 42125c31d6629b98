"""`item` returns the number of a tensor that has a single one, and `tolist` returns all numbers."""

import torch

losses = torch.tensor([0.5, 0.25])
print(losses.mean().item(), losses[0].item(), losses.tolist())
#> 0.375 0.5 [0.5, 0.25]
losses.item()
#! RuntimeError: a Tensor with 2 elements cannot be converted to Scalar

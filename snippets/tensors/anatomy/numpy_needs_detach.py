"""A tensor that requires a gradient must be detached before it is passed to NumPy."""

import torch

t = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
print(t.detach().numpy())
#> [1. 2. 3.]
t.numpy()
#! RuntimeError: Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.

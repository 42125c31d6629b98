"""Freezing a leaf after the forward: backward runs and leaves it empty."""
# covers: autograd.requires-grad-propagation

import torch

w = torch.tensor([1.0, 2.0], requires_grad=True)
loss = (w * w).sum()
w.requires_grad_(False)

loss.backward()
print(w.grad)
#> None

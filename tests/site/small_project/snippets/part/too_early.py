"""A step too early."""

import torch

w = torch.tensor([1.0, 2.0], requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1)
first = (w * w).sum()
second = (w**3).sum()
first.backward()
optimizer.step()
second.backward()
#! RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: ...

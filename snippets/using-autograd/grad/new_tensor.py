"""A tensor that is created after the computation isn't part of its graph, even with the same numbers."""

import torch

x = torch.tensor([2.0, 3.0], requires_grad=True)
y = (x**2).sum()

torch.autograd.grad(y, x[0])
#! RuntimeError: The differentiated Tensor at index 0 appears to not have been used in the graph. ...

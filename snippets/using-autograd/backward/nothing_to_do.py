"""A result that no tensor with `requires_grad` went into has no graph."""

import torch

x = torch.ones(3)
x.sum().backward()
#! RuntimeError: element 0 of tensors does not require grad and does not have a grad_fn

with torch.no_grad():
    y = torch.ones(3, requires_grad=True).sum()
y.backward()
#! RuntimeError: element 0 of tensors does not require grad and does not have a grad_fn

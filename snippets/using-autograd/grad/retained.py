"""A tensor with `retain_grad` that the pass reaches keeps its gradient, listed or not."""

import torch

x = torch.tensor([2.0], requires_grad=True)
w = torch.tensor([1.0], requires_grad=True)
hidden = x * 3
hidden.retain_grad()

(hidden * w).backward(inputs=[x])
print(x.grad, w.grad)
#> tensor([3.]) None
print(hidden.grad)
#> tensor([1.])

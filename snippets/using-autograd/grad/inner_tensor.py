"""`grad` reaches tensors inside the graph, without `retain_grad`."""

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
hidden = x**2
loss = (hidden * 3).sum()

print(torch.autograd.grad(loss, hidden))
#> (tensor([3., 3.]),)

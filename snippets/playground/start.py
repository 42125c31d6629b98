"""A number, a loss and its gradient."""

import torch

w = torch.tensor(3.0, requires_grad=True)
loss = (w - 5) ** 2
loss.backward()
print(loss.item(), w.grad.item())
#> 4.0 -4.0

"""The fourth derivative of x^4 is a constant, so there is no graph for a fifth."""

import torch

x = torch.tensor(2.0, requires_grad=True)
y = x * x * x * x

for order in range(1, 5):
    (y,) = torch.autograd.grad(y, x, create_graph=True)
    print(order, y.item(), y.requires_grad)
#> 1 32.0 True
#> 2 48.0 True
#> 3 48.0 True
#> 4 24.0 False

torch.autograd.grad(y, x)
#! RuntimeError: element 0 of tensors does not require grad and does not have a grad_fn

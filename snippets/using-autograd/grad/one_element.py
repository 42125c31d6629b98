"""Select one element from the gradient, or select it first and compute the result from it."""

import torch

x = torch.tensor([2.0, 3.0], requires_grad=True)

# Afterwards: ask for all of x, and take the part from the gradient.
y = (x**2).sum()
(gradient,) = torch.autograd.grad(y, x)
print(gradient[0])
#> tensor(4.)

# First: take the part of x, and compute from this very tensor.
first = x[0]
y = first**2 + x[1] ** 2
print(torch.autograd.grad(y, first))
#> (tensor(4.),)

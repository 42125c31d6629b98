"""A tensor made after the fact isn't part of the graph, even with the same numbers."""

import torch

x = torch.tensor([2.0, 3.0], requires_grad=True)
y = (x**2).sum()

# x[0] makes a new tensor, one that y knows nothing of.
torch.autograd.grad(y, x[0])
#! RuntimeError: The differentiated Tensor at index 0 appears to not have been used in the graph. ...

(gradient,) = torch.autograd.grad(y, x)
print(gradient[0])
#> tensor(4.)

# Or take the part first and compute from it.
first = x[0]
y = first**2 + x[1] ** 2
print(torch.autograd.grad(y, first))
#> (tensor(4.),)

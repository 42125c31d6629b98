"""A Jacobian, computed row by row with one backward pass per result."""
# covers: theory.matrixslow-jacobian

import torch

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = torch.stack([x[0] * x[1], x[1] * x[2] ** 2])


def product(v):
    return torch.autograd.grad(y, x, grad_outputs=v, retain_graph=True)[0]


print(product(torch.tensor([1.0, 0.0])))
#> tensor([2., 1., 0.])
print(product(torch.tensor([0.0, 1.0])))
#> tensor([ 0.,  9., 12.])
print(product(torch.tensor([1.0, 2.0])))
#> tensor([ 2., 19., 24.])

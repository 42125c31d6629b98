"""Two vector-Jacobian products compute the directional derivative J v."""

import torch

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = torch.stack([x[0] * x[1], x[1] * x[2] ** 2])

# The value of u doesn't matter: J^T u is linear in u, so its Jacobian with respect to u is J^T.
u = torch.zeros(2, requires_grad=True)
(backward_product,) = torch.autograd.grad(y, x, grad_outputs=u, create_graph=True)
v = torch.tensor([1.0, 0.0, 1.0])
(forward_product,) = torch.autograd.grad(backward_product, u, grad_outputs=v)
print(forward_product)
#> tensor([ 2., 12.])

"""A node multiplies by its Jacobian without building it."""
# covers: theory.matrixslow-jacobian theory.forms-differ

import torch

x = torch.tensor([0.0, 1.0, 2.0], requires_grad=True)
y = x.exp()
incoming = torch.tensor([1.0, 10.0, 100.0])

jacobian = torch.diag(y.detach())
print(incoming @ jacobian)
#> tensor([  1.0000,  27.1828, 738.9056])

(outgoing,) = torch.autograd.grad(y, x, incoming)
print(outgoing)
#> tensor([  1.0000,  27.1828, 738.9056])

"""A Hessian times a vector takes two passes, without computing the Hessian."""

import torch

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
v = torch.tensor([1.0, 0.0, -1.0])

y = x[0] ** 2 * x[1] + x[2] ** 3
(gradient,) = torch.autograd.grad(y, x, create_graph=True)
(product,) = torch.autograd.grad(gradient, x, grad_outputs=v, retain_graph=True)
print(product)
#> tensor([  4.,   2., -18.])

# The whole Hessian, row by row, to compare.
rows = [torch.autograd.grad(gradient, x, grad_outputs=e, retain_graph=True)[0] for e in torch.eye(3)]
hessian = torch.stack(rows)
print(hessian)
#> tensor([[ 4.,  2.,  0.],
#>         [ 2.,  0.,  0.],
#>         [ 0.,  0., 18.]])
print(hessian @ v)
#> tensor([  4.,   2., -18.])

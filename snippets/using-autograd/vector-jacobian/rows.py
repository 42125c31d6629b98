"""A Jacobian is read row by row, one backward pass for each result."""
# covers: theory.matrixslow-jacobian

import torch

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)


def f(x):
    return torch.stack([x[0] * x[1], x[1] * x[2] ** 2])


y = f(x)
rows = [torch.autograd.grad(y, x, grad_outputs=v, retain_graph=True)[0] for v in torch.eye(2)]
jacobian = torch.stack(rows)
print(jacobian)
#> tensor([[ 2.,  1.,  0.],
#>         [ 0.,  9., 12.]])

# Any other vector gives that combination of the rows, and still one pass.
v = torch.tensor([1.0, 2.0])
print(torch.autograd.grad(y, x, grad_outputs=v)[0])
#> tensor([ 2., 19., 24.])
print(v @ jacobian)
#> tensor([ 2., 19., 24.])

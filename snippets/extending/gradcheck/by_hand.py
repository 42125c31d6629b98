"""A few lines compute the numerical Jacobian of `gradcheck` for a function of one tensor."""
# covers: function.gradcheck

import torch


def numerical_jacobian(f, x, eps=1e-6):
    columns = []
    for i in range(x.numel()):
        step = torch.zeros_like(x)
        step[i] = eps
        columns.append((f(x + step) - f(x - step)) / (2 * eps))
    return torch.stack(columns, 1)


def analytical_jacobian(f, x):
    y = f(x)
    units = torch.eye(y.numel(), dtype=x.dtype)
    return torch.stack([torch.autograd.grad(y, x, unit, retain_graph=True)[0] for unit in units])


def f(x):
    return torch.stack([x[0] * x[1], torch.sin(x[2]), x[0] ** 2])


x = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64, requires_grad=True)
print(analytical_jacobian(f, x))
#> tensor([[ 2.0000,  1.0000,  0.0000],
#>         [ 0.0000,  0.0000, -0.9900],
#>         [ 2.0000,  0.0000,  0.0000]], dtype=torch.float64)

with torch.no_grad():
    numerical = numerical_jacobian(f, x)
print((analytical_jacobian(f, x) - numerical).abs().max() < 1e-8)
#> tensor(True)

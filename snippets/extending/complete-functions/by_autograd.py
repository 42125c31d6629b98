"""Autograd without the class computes the same numbers, and `gradcheck` confirms them."""
# covers: function.legendre

import torch


class Legendre3(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return (5 * x**3 - 3 * x) / 2

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * (15 * x**2 - 3) / 2


def p3(x):
    return (5 * x**3 - 3 * x) / 2


x = torch.linspace(-1, 1, 5, dtype=torch.float64, requires_grad=True)
print(torch.autograd.grad(Legendre3.apply(x).sum(), x))
#> (tensor([ 6.0000,  0.3750, -1.5000,  0.3750,  6.0000], dtype=torch.float64),)
print(torch.autograd.grad(p3(x).sum(), x))
#> (tensor([ 6.0000,  0.3750, -1.5000,  0.3750,  6.0000], dtype=torch.float64),)
print(torch.autograd.gradcheck(Legendre3.apply, x))
#> True
print(torch.autograd.gradgradcheck(Legendre3.apply, x))
#> True

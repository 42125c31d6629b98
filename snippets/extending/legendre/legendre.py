"""A Legendre polynomial of degree 3, with the derivative worked out by hand."""
# covers: function.legendre

import torch


class LegendrePolynomial3(torch.autograd.Function):
    """P3(x) = (5 x^3 - 3 x) / 2, with derivative 1.5 (5 x^2 - 1)."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return 0.5 * (5 * x**3 - 3 * x)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * 1.5 * (5 * x**2 - 1)


a, b, c, d = (torch.tensor(v, requires_grad=True) for v in (1.0, 2.0, 1.0, 2.0))
x = 1.0
y = a + b * LegendrePolynomial3.apply(c + d * x)
print(y.item())
#> 127.0

y.backward()
print(a.grad, b.grad, c.grad, d.grad)
#> tensor(1.) tensor(63.) tensor(132.) tensor(132.)

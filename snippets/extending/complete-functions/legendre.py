"""A Legendre polynomial of degree 3 as a `Function`, with its derivative derived by hand."""
# covers: function.legendre

import torch


# region: function
class Legendre3(torch.autograd.Function):
    """P3(x) = (5 x^3 - 3 x) / 2, with derivative (15 x^2 - 3) / 2."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return (5 * x**3 - 3 * x) / 2

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * (15 * x**2 - 3) / 2


def curve(x, a, b, c, d):
    return a + b * Legendre3.apply(c + d * x)


values = {"a": 1.0, "b": 2.0, "c": 1.0, "d": 2.0}
parameters = {name: torch.tensor(value, requires_grad=True) for name, value in values.items()}
y = curve(1.0, **parameters)
print(y.item())
#> 127.0

y.backward()
for name, parameter in parameters.items():
    print(name, parameter.grad)
#> a tensor(1.)
#> b tensor(63.)
#> c tensor(132.)
#> d tensor(132.)
# endregion


def p3(x):
    return Legendre3.apply(x)


point, shown = 0.0, [-1.0, 1.0]

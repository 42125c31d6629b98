"""`once_differentiable` raises no error if the upstream gradient is a constant."""

import torch
from torch.autograd.function import once_differentiable


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    @once_differentiable
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * 3 * x**2


x = torch.tensor([2.0], requires_grad=True)

# The gradient that arrives is a constant.
(first,) = torch.autograd.grad(Cube.apply(x), x, create_graph=True)
print(first, first.requires_grad)
#> tensor([12.]) False

# The same next to another term.
(first,) = torch.autograd.grad(Cube.apply(x) + x**2, x, create_graph=True)
print(torch.autograd.grad(first, x))
#> (tensor([2.]),)

"""A `backward` that uses PyTorch's operations can be differentiated again."""

import torch


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * 3 * x**2


x = torch.tensor([2.0], requires_grad=True)
(first,) = torch.autograd.grad(Cube.apply(x), x, create_graph=True)
print(first)
#> tensor([12.], grad_fn=<MulBackward0>)
(second,) = torch.autograd.grad(first, x, create_graph=True)
print(second)
#> tensor([12.], grad_fn=<MulBackward0>)
print(torch.autograd.grad(second, x))
#> (tensor([6.]),)

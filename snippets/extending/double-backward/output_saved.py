"""A saved result is connected to its node, so this `exp` has derivatives of any order."""

import torch


class Exp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.exp(x)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad_y):
        (y,) = ctx.saved_tensors
        print(y.requires_grad, y.grad_fn.name())
        return grad_y * y


x = torch.tensor([1.0], requires_grad=True)
(first,) = torch.autograd.grad(Exp.apply(x), x, create_graph=True)
#> True ExpBackward
(second,) = torch.autograd.grad(first, x)
#> True ExpBackward
print(first, second)
#> tensor([2.7183], grad_fn=<MulBackward0>) tensor([2.7183])

"""`once_differentiable` raises an error instead of a wrong second derivative."""

import torch
from torch.autograd.function import once_differentiable


class Sinh(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        plus = torch.exp(x)
        minus = torch.exp(-x)
        ctx.save_for_backward(plus, minus)
        return (plus - minus) / 2

    @staticmethod
    @once_differentiable
    def backward(ctx, grad_output):
        plus, minus = ctx.saved_tensors
        return grad_output * (plus + minus) / 2


x = torch.tensor([1.0], requires_grad=True)
(first,) = torch.autograd.grad(Sinh.apply(x) ** 2, x, create_graph=True)
print(first)
#> tensor([3.6269], grad_fn=<Error>)
try:
    first.backward(retain_graph=True)
except RuntimeError as error:
    print(error)
#> trying to differentiate twice a function that was marked with @once_differentiable

# With grad the message is another one: the path to x ends at the error node.
torch.autograd.grad(first, x)
#! RuntimeError: The differentiated Tensor at index 0 appears to not have been used in the graph. ...

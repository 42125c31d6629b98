"""The second derivative is right if `forward` returns the intermediate values as results."""

import torch


class SinhParts(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        plus = torch.exp(x)
        minus = torch.exp(-x)
        ctx.save_for_backward(plus, minus)
        return (plus - minus) / 2, plus, minus

    @staticmethod
    def backward(ctx, grad_output, grad_plus, grad_minus):
        plus, minus = ctx.saved_tensors
        return grad_output * (plus + minus) / 2 + grad_plus * plus - grad_minus * minus


def sinh(x):
    return SinhParts.apply(x)[0]


x = torch.tensor([1.0], requires_grad=True)
(first,) = torch.autograd.grad(sinh(x) ** 2, x, create_graph=True)
print(torch.autograd.grad(first, x))
#> (tensor([7.5244]),)

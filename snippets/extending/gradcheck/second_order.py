"""`gradgradcheck` does the same for the second derivative."""

import torch


class Sinh(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        plus, minus = torch.exp(x), torch.exp(-x)
        ctx.save_for_backward(plus, minus)
        return (plus - minus) / 2

    @staticmethod
    def backward(ctx, grad_output):
        plus, minus = ctx.saved_tensors
        return grad_output * (plus + minus) / 2


x = torch.tensor([0.5, 1.0], dtype=torch.float64, requires_grad=True)
print(torch.autograd.gradcheck(Sinh.apply, x))
#> True
print(torch.autograd.gradgradcheck(Sinh.apply, x, raise_exception=False))
#> False
print(torch.autograd.gradgradcheck(torch.sinh, x))
#> True

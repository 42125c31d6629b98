"""`gradcheck` rejects a scaled gradient, because it isn't the derivative."""

import torch


class ScaleGradient(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.factor = factor
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.factor, None


x = torch.tensor([2.0], requires_grad=True, dtype=torch.float64)
print(torch.autograd.gradcheck(lambda t: ScaleGradient.apply(t, 1.0) ** 2, x))
#> True
print(torch.autograd.gradcheck(lambda t: ScaleGradient.apply(t, -0.1) ** 2, x, raise_exception=False))
#> False

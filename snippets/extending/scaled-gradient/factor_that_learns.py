"""If `backward` returns `None` for the factor, the factor gets no gradient."""
# covers: function.gradcoeff.none

import torch


class ScaleGradient(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.factor = factor
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.factor, None


x = torch.tensor([2.0], requires_grad=True)
factor = torch.tensor(-0.1, requires_grad=True)
ScaleGradient.apply(x, factor).backward()
print(x.grad, factor.grad)
#> tensor([-0.1000]) None

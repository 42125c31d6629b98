"""`None` means no gradient: a coefficient that should learn would stay where it is."""
# covers: function.gradcoeff.none

import torch


class GradCoeff(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, coeff):
        ctx.coeff = coeff
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad_output):
        return ctx.coeff * grad_output, None


x = torch.tensor([2.0], requires_grad=True)
coeff = torch.tensor(-0.1, requires_grad=True)
GradCoeff.apply(x, coeff).backward()
print(x.grad, coeff.grad)
#> tensor([-0.1000]) None

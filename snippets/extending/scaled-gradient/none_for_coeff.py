"""Without the `None` for coeff, the number of gradients is wrong."""
# covers: function.gradcoeff.none

import torch


class GradCoeff(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, coeff):
        ctx.coeff = coeff
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad_output):
        return ctx.coeff * grad_output


x = torch.tensor([2.0], requires_grad=True)
GradCoeff.apply(x, -0.1).backward()
#! RuntimeError: function GradCoeffBackward returned an incorrect number of gradients (expected 2, got 1)

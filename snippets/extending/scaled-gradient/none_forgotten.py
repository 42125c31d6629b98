"""Without `None` for the factor, `backward` returns too few gradients."""
# covers: function.gradcoeff.none

import torch


class ScaleGradient(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.factor = factor
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.factor


x = torch.tensor([2.0], requires_grad=True)
ScaleGradient.apply(x, -0.1).backward()
#! RuntimeError: function ScaleGradientBackward returned an incorrect number of gradients (expected 2, got 1)

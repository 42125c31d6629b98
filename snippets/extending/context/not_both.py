"""If `setup_context` is defined, `forward` receives no `ctx`."""

import torch


class Power(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, exponent):
        ctx.exponent = exponent
        return x**exponent

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(inputs[0])

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * ctx.exponent * x ** (ctx.exponent - 1), None


x = torch.tensor([2.0], requires_grad=True)
Power.apply(x, 3)
#! TypeError: missing a required argument: 'exponent'

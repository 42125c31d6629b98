"""`save_for_backward` accepts tensors and `None`, and raises an error for a number."""
# covers: function.ctx-note, function.save-for-backward

import torch


class Power(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, exponent):
        ctx.save_for_backward(x, exponent)
        return x**exponent

    @staticmethod
    def backward(ctx, grad_output):
        x, exponent = ctx.saved_tensors
        return grad_output * exponent * x ** (exponent - 1), None


x = torch.tensor([2.0], requires_grad=True)
Power.apply(x, 3)
#! TypeError: save_for_backward can only save variables, but argument 1 is of type int

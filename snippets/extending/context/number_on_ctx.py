"""A value that isn't a tensor can be stored in an attribute of `ctx` with any name."""
# covers: function.ctx-note, function.save-for-backward

import torch


class Power(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, exponent):
        ctx.save_for_backward(x)
        ctx.exponent = exponent
        return x**exponent

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * ctx.exponent * x ** (ctx.exponent - 1), None


x = torch.tensor([2.0], requires_grad=True)
Power.apply(x, 3).backward()
print(x.grad)
#> tensor([12.])

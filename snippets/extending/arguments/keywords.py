"""Keyword arguments: by the name of a parameter yes, beyond that no."""
# covers: function.forward-args-any

import torch


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor=2.0):
        ctx.factor = factor
        return x * factor

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.factor, None


x = torch.tensor([1.0], requires_grad=True)
print(Scale.apply(x))
#> tensor([2.], grad_fn=<ScaleBackward>)
print(Scale.apply(x, 3.0))
#> tensor([3.], grad_fn=<ScaleBackward>)
print(Scale.apply(x, factor=3.0))
#> tensor([3.], grad_fn=<ScaleBackward>)


class OnlyByKeyword(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, *, factor=2.0):
        return x * factor

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output


OnlyByKeyword.apply(x, factor=3.0)
#! TypeError: forward() got an unexpected keyword argument 'factor'


class AnyKeyword(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, **kwargs):
        return x * kwargs["factor"]

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output


AnyKeyword.apply(x, factor=3.0)
#! TypeError: forward() got an unexpected keyword argument 'factor'

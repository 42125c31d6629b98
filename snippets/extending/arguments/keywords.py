"""An argument of `apply` can be passed by position or by name, or be left out if it has a default."""
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

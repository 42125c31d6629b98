"""Only `apply` creates a node; a direct call of `forward` or of an object raises an error."""
# covers: function.apply, function.ctx-vs-self

import torch


class Exp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.exp(x)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad_y):
        (y,) = ctx.saved_tensors
        return grad_y * y


x = torch.tensor([1.0], requires_grad=True)
print(Exp.apply(x))
#> tensor([2.7183], grad_fn=<ExpBackward>)

try:
    Exp.forward(x)
except TypeError as error:
    print(error)
#> Exp.forward() missing 1 required positional argument: 'x'

# An object can be made, with a warning, and is of no use.
Exp()(x)
#~ DeprecationWarning: <class '__main__.Exp'> should not be instantiated. ...
#! RuntimeError: Legacy autograd function with non-static forward method is deprecated. ...

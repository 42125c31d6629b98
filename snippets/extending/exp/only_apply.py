"""`apply` is the only way in; forward alone builds no node."""
# covers: function.apply, function.ctx-vs-self

import torch


class Exp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        result = x.exp()
        ctx.save_for_backward(result)
        return result

    @staticmethod
    def backward(ctx, grad_output):
        (result,) = ctx.saved_tensors
        return grad_output * result


x = torch.tensor([1.0], requires_grad=True)

Exp.forward(x)
#! TypeError: Exp.forward() missing 1 required positional argument: 'x'

# An object can be made, with a warning, and is of no use.
Exp()(x)
#~ DeprecationWarning: <class '__main__.Exp'> should not be instantiated. ...
#! RuntimeError: Legacy autograd function with non-static forward method is deprecated. ...

print(Exp.apply(x))
#> tensor([2.7183], grad_fn=<ExpBackward>)

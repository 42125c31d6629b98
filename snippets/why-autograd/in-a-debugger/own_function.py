"""An operation of your own has its forward and backward computation side by side."""
# covers: graph.two-elements

import torch


class Exp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x.exp()
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad):
        (y,) = ctx.saved_tensors
        return grad * y


x = torch.tensor(2.0, requires_grad=True)
y = Exp.apply(x)
print(type(y.grad_fn).__name__)
#> ExpBackward
y.backward()
print(x.grad)
#> tensor(7.3891)

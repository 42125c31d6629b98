"""`forward` accepts any Python object, such as a number, a string, a function or `None`."""
# covers: function.forward-args-any

import torch


class Power(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, exponent, reduction, log):
        ctx.save_for_backward(x)
        ctx.exponent = exponent
        if log is not None:
            log(f"forward, {reduction}")
        return (x**exponent).sum() if reduction == "sum" else x**exponent

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * ctx.exponent * x ** (ctx.exponent - 1), None, None, None


x = torch.tensor([1.0, 2.0], requires_grad=True)
y = Power.apply(x, 3, "sum", print)
#> forward, sum
y.backward()
print(x.grad)
#> tensor([ 3., 12.])

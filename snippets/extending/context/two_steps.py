"""`forward` computes without `ctx`, and `setup_context` saves what `backward` needs."""

import torch


class Power(torch.autograd.Function):
    @staticmethod
    def forward(x, exponent=2):
        return x**exponent

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, exponent = inputs
        ctx.save_for_backward(x)
        ctx.exponent = exponent

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * ctx.exponent * x ** (ctx.exponent - 1), None


x = torch.tensor([2.0], requires_grad=True)
y = Power.apply(x, 3)
print(y)
#> tensor([8.], grad_fn=<PowerBackward>)
y.backward()
print(x.grad)
#> tensor([12.])

# forward is an ordinary function now.
print(Power.forward(torch.tensor([2.0]), 3))
#> tensor([8.])

"""With `setup_context` the inputs contain the defaults, and without it `apply` doesn't count them."""

import torch


class Power(torch.autograd.Function):
    @staticmethod
    def forward(x, exponent=2):
        return x**exponent

    @staticmethod
    def setup_context(ctx, inputs, output):
        print(len(inputs), inputs[1:])

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output, None


class PowerWithCtx(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, exponent=2):
        print(len(ctx.needs_input_grad))
        return x**exponent

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output, grad_output if ctx.needs_input_grad[1] else None


x = torch.tensor([2.0], requires_grad=True)
Power.apply(x)
#> 2 (2,)
Power.apply(x, exponent=3)
#> 2 (3,)

# The same two calls in the form with ctx.
PowerWithCtx.apply(x)
#> 1
PowerWithCtx.apply(x, 3)
#> 2

# In backward, the place of the argument that was left out does not exist.
PowerWithCtx.apply(x).backward()
#> 1
#! IndexError: tuple index out of range

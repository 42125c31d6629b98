"""`backward` must return one value for each input of `forward`; additional values must be `None`."""
# covers: function.backward-return-count

import torch


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.factor = factor
        return x * factor

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.factor, None


class TooFew(Scale):
    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.factor


class TooMany(Scale):
    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.factor, None, None, None


class ForTheNumber(Scale):
    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.factor, grad_output


x = torch.tensor([1.0], requires_grad=True)
for function in Scale, TooMany, TooFew, ForTheNumber:
    try:
        function.apply(x, 3.0).backward()
        print(f"{function.__name__}: x.grad is {x.grad}")  # It adds up: 3, then 6.
    except RuntimeError as error:
        print(error)
#> Scale: x.grad is tensor([3.])
#> TooMany: x.grad is tensor([6.])
#> function TooFewBackward returned an incorrect number of gradients (expected 2, got 1)
#> function ForTheNumberBackward returned a gradient different than None at position 2, but the corresponding forward input was not a Variable

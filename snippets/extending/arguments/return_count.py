"""`backward` returns one value for each input of forward."""
# covers: function.backward-return-count

import torch


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.factor = factor
        return x * factor

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.factor  # One value, but two inputs.


x = torch.tensor([1.0], requires_grad=True)
Scale.apply(x, 3.0).backward()
#! RuntimeError: function ScaleBackward returned an incorrect number of gradients (expected 2, got 1)


class ScaleTwo(Scale):
    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.factor, None


ScaleTwo.apply(x, 3.0).backward()
print(x.grad)
#> tensor([3.])


# Too many is allowed, as long as the rest is None.
class ScaleMany(Scale):
    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.factor, None, None, None


ScaleMany.apply(x, 3.0).backward()
print(x.grad)
#> tensor([6.])


# A gradient for something that isn't a tensor is an error.
class ScaleWrong(Scale):
    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.factor, grad_output


ScaleWrong.apply(x, 3.0).backward()
#! RuntimeError: function ScaleWrongBackward returned a gradient different than None at position 2, but the corresponding forward input was not a Variable

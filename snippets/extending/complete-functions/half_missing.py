"""A missing `forward` raises an error at once, a missing `backward` only in a backward pass."""
# covers: function.subclass-two-statics

import torch


class OnlyBackward(torch.autograd.Function):
    @staticmethod
    def backward(ctx, grad_output):
        return 2 * grad_output


class OnlyForward(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return 2 * x


x = torch.tensor([1.0], requires_grad=True)
try:
    OnlyBackward.apply(x)
except NotImplementedError as error:
    print(error)
#> You must implement the forward function for custom autograd.Function.

y = OnlyForward.apply(x)
print(y)
#> tensor([2.], grad_fn=<OnlyForwardBackward>)
y.backward()
#! NotImplementedError: You must implement either the backward or vjp method for your custom autograd.Function to use it with backward mode AD.

"""The decorator isn't enforced: through the class, a plain function does the same."""
# covers: function.subclass-two-statics

import torch


class Double(torch.autograd.Function):
    def forward(ctx, x):
        return 2 * x

    def backward(ctx, grad_output):
        return 2 * grad_output


x = torch.tensor([1.0], requires_grad=True)
Double.apply(x).backward()
print(x.grad)
#> tensor([2.])


class OnlyForward(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return 2 * x


# A missing backward is found out when it's called, not before.
y = OnlyForward.apply(x)
print(y)
#> tensor([2.], grad_fn=<OnlyForwardBackward>)
y.backward()
#! NotImplementedError: You must implement either the backward or vjp method for your custom autograd.Function to use it with backward mode AD.


class OnlyBackward(torch.autograd.Function):
    @staticmethod
    def backward(ctx, grad_output):
        return 2 * grad_output


OnlyBackward.apply(x)
#! NotImplementedError: You must implement the forward function for custom autograd.Function.

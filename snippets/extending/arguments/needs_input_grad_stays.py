"""`needs_input_grad` is filled when `apply` is called, and doesn't depend on the backward pass."""
# covers: function.needs-input-grad

import torch


class Mul(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a * b

    @staticmethod
    def backward(ctx, grad_output):
        print(ctx.needs_input_grad)
        a, b = ctx.saved_tensors
        return grad_output * b, grad_output * a


a = torch.tensor([2.0], requires_grad=True)
b = torch.tensor([3.0], requires_grad=True)

# Only a is asked for.
print(torch.autograd.grad(Mul.apply(a, b), a))
#> (True, True)
#> (tensor([3.]),)

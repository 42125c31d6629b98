"""A second `save_for_backward` replaces the first."""
# covers: function.save-for-backward, function.saved-tensors

import torch


class Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a)
        ctx.save_for_backward(b)
        return a * b

    @staticmethod
    def backward(ctx, grad_output):
        print(ctx.saved_tensors)
        a, b = ctx.saved_tensors
        return grad_output * b, grad_output * a


a = torch.tensor([2.0], requires_grad=True)
b = torch.tensor([3.0], requires_grad=True)
Product.apply(a, b).backward()
#> (tensor([3.], requires_grad=True),)
#! ValueError: not enough values to unpack (expected 2, got 1)

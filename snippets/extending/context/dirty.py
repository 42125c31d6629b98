"""`mark_dirty` declares that forward changed an input in place."""

import torch


class AddOne(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        x.add_(1)
        ctx.mark_dirty(x)
        return x

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output


x = torch.tensor([1.0], requires_grad=True)
h = x * 3
y = AddOne.apply(h)
print(y is h)
#> True
print(h)
#> tensor([4.], grad_fn=<AddOneBackward>)

h.backward()
print(x.grad)
#> tensor([3.])

# Like any change in place, not on a leaf that requires grad.
AddOne.apply(x)
#! RuntimeError: a leaf Variable that requires grad has been used in an in-place operation.

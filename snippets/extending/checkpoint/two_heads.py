"""A body receives the gradient of a head for digits, and the reversed gradient of a head for cameras."""

import torch


class Reverse(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.factor = factor
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.factor, None


body = torch.tensor(2.0, requires_grad=True)
digits = torch.tensor(5.0, requires_grad=True)
camera = torch.tensor(3.0, requires_grad=True)

h = body * 10
loss = digits * h + camera * Reverse.apply(h, -0.5)
loss.backward()
print(body.grad, digits.grad)
#> tensor(35.) tensor(20.)
print(camera.grad)
#> tensor(20.)

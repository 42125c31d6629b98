"""`setup_context` receives the result of `forward` as `output` and can save it."""

import torch


class Sigmoid(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return 1 / (1 + torch.exp(-x))

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(output)

    @staticmethod
    def backward(ctx, grad_output):
        (y,) = ctx.saved_tensors
        return grad_output * y * (1 - y)


def sigmoid(x):
    return Sigmoid.apply(x)


x = torch.tensor([0.0, 2.0], requires_grad=True)
sigmoid(x).sum().backward()
print(x.grad)
#> tensor([0.2500, 0.1050])

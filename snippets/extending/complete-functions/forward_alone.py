"""If a `forward` that saves nothing is called directly, `backward` is never called."""
# covers: function.apply

import torch


class Identity10(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 1

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * 10


x = torch.tensor([1.0], requires_grad=True)

print(torch.autograd.grad(Identity10.apply(x), x))
#> (tensor([10.]),)
print(torch.autograd.grad(Identity10.forward(None, x), x))
#> (tensor([1.]),)

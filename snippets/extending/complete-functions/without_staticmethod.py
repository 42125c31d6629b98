"""The methods of a `Function` also work without the decorator `@staticmethod`."""
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

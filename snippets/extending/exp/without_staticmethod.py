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

"""A function may store in forward which branch was taken, so functions with branches have gradients as well."""
# covers: engine-v01.input-stash

import torch


class Hinge(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.steep = x.item() > 1
        return x * 10 if ctx.steep else x

    @staticmethod
    def backward(ctx, grad):
        return grad * 10 if ctx.steep else grad


for start in (0.5, 2.0):
    x = torch.tensor(start, requires_grad=True)
    Hinge.apply(x).backward()
    print(x.grad)
#> tensor(1.)
#> tensor(10.)

"""A result that is an attribute of its node is not freed when its last name is deleted."""
# covers: function.save-for-backward

import gc
import weakref

import torch


class Saved(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x.exp()
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad_output):
        (y,) = ctx.saved_tensors
        return grad_output * y


class Kept(Saved):
    @staticmethod
    def forward(ctx, x):
        ctx.y = x.exp()
        return ctx.y

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.y


gc.disable()
x = torch.ones(3, requires_grad=True)
for function in Saved, Kept:
    y = function.apply(x)
    watch = weakref.ref(y)
    del y
    print(f"{function.__name__:6}gone: {watch() is None}")
#> Saved gone: True
#> Kept  gone: False

gc.collect()
print(f"Kept  gone: {watch() is None}")
#> Kept  gone: True

"""Without `mark_dirty` the graph doesn't contain the change, and the gradient is wrong."""

import torch


class TimesTen(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        x.mul_(10)
        return x.clone()

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * 10


x = torch.tensor([1.0], requires_grad=True)
h = x * 1
TimesTen.apply(h)
print(h)
#> tensor([10.], grad_fn=<MulBackward0>)
print(torch.autograd.grad(h, x))
#> (tensor([1.]),)


class TimesTenDirty(TimesTen):
    @staticmethod
    def forward(ctx, x):
        x.mul_(10)
        ctx.mark_dirty(x)
        return x


h = x * 1
TimesTenDirty.apply(h)
print(h)
#> tensor([10.], grad_fn=<TimesTenDirtyBackward>)
print(torch.autograd.grad(h, x))
#> (tensor([10.]),)

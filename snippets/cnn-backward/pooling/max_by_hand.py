"""Max pooling by hand saves the positions, and writes each error to the position of its maximum."""
# covers: cnn.maxpool-backward

import torch
import torch.nn.functional as F


class MaxPool(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, k):
        n, c, h, w = x.shape
        windows = x.reshape(n, c, h // k, k, w // k, k).permute(0, 1, 2, 4, 3, 5).reshape(n, c, h // k, w // k, k * k)
        y, position = windows.max(dim=-1)
        ctx.save_for_backward(position)
        ctx.k, ctx.shape = k, x.shape
        return y

    @staticmethod
    def backward(ctx, delta):
        (position,) = ctx.saved_tensors
        n, c, h, w = ctx.shape
        k = ctx.k
        windows = torch.zeros(*delta.shape, k * k)
        windows.scatter_(-1, position.unsqueeze(-1), delta.unsqueeze(-1))
        return windows.reshape(n, c, h // k, w // k, k, k).permute(0, 1, 2, 4, 3, 5).reshape(n, c, h, w), None


torch.manual_seed(0)
x = torch.randn(2, 3, 4, 6, requires_grad=True)
delta = torch.randn(2, 3, 2, 3)
MaxPool.apply(x, 2).backward(delta)
by_hand, x.grad = x.grad, None
F.max_pool2d(x, 2).backward(delta)
print(torch.equal(by_hand, x.grad))
#> True

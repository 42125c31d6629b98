"""The backward pass of average pooling repeats each error over its window and divides it."""
# covers: cnn.avgpool-backward

import torch
import torch.nn.functional as F


class AvgPool(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, k):
        ctx.k = k
        n, c, h, w = x.shape
        return x.reshape(n, c, h // k, k, w // k, k).mean(dim=(3, 5))

    @staticmethod
    def backward(ctx, delta):
        k = ctx.k
        return delta.repeat_interleave(k, dim=2).repeat_interleave(k, dim=3) / (k * k), None


torch.manual_seed(0)
x = torch.randn(2, 3, 6, 6, dtype=torch.float64, requires_grad=True)
delta = torch.randn(2, 3, 2, 2, dtype=torch.float64)
AvgPool.apply(x, 3).backward(delta)
by_hand, x.grad = x.grad, None
F.avg_pool2d(x, 3).backward(delta)
print(torch.allclose(by_hand, x.grad))
#> True
print(torch.autograd.gradcheck(lambda x: AvgPool.apply(x, 3), (x,)))
#> True

"""The class has the same gradients as `torch.nn.functional.conv2d`."""
# covers: function.conv2d

import torch
import torch.nn.functional as F


class Conv2dFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight):
        ctx.save_for_backward(x, weight)
        return F.conv2d(x, weight)

    @staticmethod
    def backward(ctx, grad_output):
        x, weight = ctx.saved_tensors
        grad_x = F.conv_transpose2d(grad_output, weight)
        grad_weight = F.conv2d(x.transpose(0, 1), grad_output.transpose(0, 1)).transpose(0, 1)
        return grad_x, grad_weight


torch.manual_seed(0)
x = torch.rand(10, 3, 7, 7, dtype=torch.float64, requires_grad=True)
weight = torch.rand(5, 3, 3, 3, dtype=torch.float64, requires_grad=True)
upstream = torch.rand(10, 5, 5, 5, dtype=torch.float64)

ours = torch.autograd.grad(Conv2dFunction.apply(x, weight), [x, weight], upstream)
theirs = torch.autograd.grad(F.conv2d(x, weight), [x, weight], upstream)
print([torch.allclose(o, t) for o, t in zip(ours, theirs, strict=True)])
#> [True, True]

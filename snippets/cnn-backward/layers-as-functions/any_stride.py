"""`torch.nn.grad` has functions for both gradients, for any stride, padding and dilation."""
# covers: function.conv2d

import torch
import torch.nn.functional as F
from torch.nn.grad import conv2d_input, conv2d_weight


class Conv2dFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, stride, padding):
        ctx.save_for_backward(x, weight)
        ctx.stride, ctx.padding = stride, padding
        return F.conv2d(x, weight, stride=stride, padding=padding)

    @staticmethod
    def backward(ctx, grad_output):
        x, weight = ctx.saved_tensors
        grad_x = conv2d_input(x.shape, weight, grad_output, ctx.stride, ctx.padding)
        grad_weight = conv2d_weight(x, weight.shape, grad_output, ctx.stride, ctx.padding)
        return grad_x, grad_weight, None, None


torch.manual_seed(0)
x = torch.rand(2, 3, 8, 8, dtype=torch.float64, requires_grad=True)
weight = torch.rand(4, 3, 3, 3, dtype=torch.float64, requires_grad=True)

print(torch.autograd.gradcheck(lambda x, w: Conv2dFunction.apply(x, w, 2, 1), (x, weight)))
#> True

"""If `backward` ignores the stride, the gradient of the picture has the wrong shape."""
# covers: function.conv2d

import torch
import torch.nn.functional as F


class Strided(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight):
        ctx.save_for_backward(x, weight)
        return F.conv2d(x, weight, stride=2)

    @staticmethod
    def backward(ctx, grad_output):
        x, weight = ctx.saved_tensors
        grad_x = F.conv_transpose2d(grad_output, weight)
        grad_weight = F.conv2d(x.transpose(0, 1), grad_output.transpose(0, 1)).transpose(0, 1)
        return grad_x, grad_weight


x = torch.rand(2, 3, 7, 7, requires_grad=True)
weight = torch.rand(4, 3, 3, 3, requires_grad=True)
Strided.apply(x, weight).sum().backward()
#! RuntimeError: Function StridedBackward returned an invalid gradient at index 0 - got [2, 3, 5, 5] but expected shape compatible with [2, 3, 7, 7]

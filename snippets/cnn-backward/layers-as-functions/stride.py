"""With a stride of two, the formulas are right for seven rows, but not for eight."""
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
        grad_x = F.conv_transpose2d(grad_output, weight, stride=2)
        # The steps of grad_output lie two apart on x: a dilation.
        x_t, g_t = x.transpose(0, 1), grad_output.transpose(0, 1)
        grad_weight = F.conv2d(x_t, g_t, dilation=2).transpose(0, 1)
        return grad_x, grad_weight


torch.manual_seed(0)
weight = torch.rand(4, 3, 3, 3, dtype=torch.float64, requires_grad=True)

seven = torch.rand(2, 3, 7, 7, dtype=torch.float64, requires_grad=True)
print(torch.autograd.gradcheck(Strided.apply, (seven, weight)))
#> True

# No window reaches the eighth row.
eight = torch.rand(2, 3, 8, 8, dtype=torch.float64, requires_grad=True)
Strided.apply(eight, weight).sum().backward()
#! RuntimeError: Function StridedBackward returned an invalid gradient at index 0 - got [2, 3, 7, 7] but expected shape compatible with [2, 3, 8, 8]

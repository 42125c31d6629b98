"""With a stride the two formulas no longer fit; shapes tell, if you are lucky."""
# covers: function.conv2d

import torch
import torch.nn.functional as F


class StridedWrong(torch.autograd.Function):
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


class Strided(StridedWrong):
    @staticmethod
    def backward(ctx, grad_output):
        x, weight = ctx.saved_tensors
        grad_x = F.conv_transpose2d(grad_output, weight, stride=2)
        # The steps of grad_output lie two apart on x: a dilation.
        x_t, g_t = x.transpose(0, 1), grad_output.transpose(0, 1)
        grad_weight = F.conv2d(x_t, g_t, dilation=2).transpose(0, 1)
        return grad_x, grad_weight


torch.manual_seed(0)
x = torch.rand(2, 3, 7, 7, dtype=torch.float64, requires_grad=True)
weight = torch.rand(4, 3, 3, 3, dtype=torch.float64, requires_grad=True)

StridedWrong.apply(x, weight).sum().backward()
#! RuntimeError: Function StridedWrongBackward returned an invalid gradient at index 0 - got [2, 3, 5, 5] but expected shape compatible with [2, 3, 7, 7]
print(torch.autograd.gradcheck(Strided.apply, (x, weight)))
#> True

# With 8 rows the last one isn't reached by any window, and even this is not enough.
x = torch.rand(2, 3, 8, 8, dtype=torch.float64, requires_grad=True)
Strided.apply(x, weight).sum().backward()
#! RuntimeError: Function StridedBackward returned an invalid gradient at index 0 - got [2, 3, 7, 7] but expected shape compatible with [2, 3, 8, 8]

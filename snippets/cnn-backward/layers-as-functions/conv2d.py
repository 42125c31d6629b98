"""A 2-D convolution as a `Function` has two gradients, which are also convolutions."""
# covers: function.conv2d, function.gradcheck

import torch
import torch.nn.functional as F


class Conv2dFunction(torch.autograd.Function):
    """Stride 1, no padding. x (n, in, h, w), weight (out, in, kh, kw)."""

    @staticmethod
    def forward(ctx, x, weight):
        ctx.save_for_backward(x, weight)
        return F.conv2d(x, weight)

    @staticmethod
    def backward(ctx, grad_output):
        x, weight = ctx.saved_tensors
        # To the input: each entry of grad_output spreads back over the window it was made from.
        grad_x = F.conv_transpose2d(grad_output, weight)
        # To the kernel: slide grad_output over x. Batch and channels change places, so that the
        # sum runs over the batch: (in, n, h, w) with (out, n, h', w') gives (in, out, kh, kw).
        grad_weight = F.conv2d(x.transpose(0, 1), grad_output.transpose(0, 1)).transpose(0, 1)
        return grad_x, grad_weight


torch.manual_seed(0)
weight = torch.rand(5, 3, 3, 3, dtype=torch.float64, requires_grad=True)
x = torch.rand(10, 3, 7, 7, dtype=torch.float64, requires_grad=True)

print(torch.autograd.gradcheck(Conv2dFunction.apply, (x, weight)))
#> True

print(weight.grad)
#> None
Conv2dFunction.apply(x, weight).mean().backward()
print(weight.grad.shape, weight.grad.dtype)
#> torch.Size([5, 3, 3, 3]) torch.float64
print(weight.grad[0, 0])
#> tensor([[0.0958, 0.0954, 0.0977],
#>         [0.0969, 0.0959, 0.0971],
#>         [0.0975, 0.0981, 0.1000]], dtype=torch.float64)

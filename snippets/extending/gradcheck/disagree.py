"""If the gradients differ, `gradcheck` raises an error, or returns `False` with `raise_exception=False`."""
# covers: function.gradcheck

import torch


class CubeWrong(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * 2 * x**2


x = torch.tensor([1.0, -2.0], dtype=torch.float64, requires_grad=True)
print(torch.autograd.gradcheck(CubeWrong.apply, x, raise_exception=False))
#> False

torch.autograd.gradcheck(CubeWrong.apply, x)
#! GradcheckError: Jacobian mismatch for output 0 with respect to input 0,
#! numerical:tensor([[ 3.0000,  0.0000],
#!         [ 0.0000, 12.0000]], dtype=torch.float64)
#! analytical:tensor([[2., 0.],
#!         [0., 8.]], dtype=torch.float64)
#!

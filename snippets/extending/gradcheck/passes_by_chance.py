"""A wrong gradient passes the test at a point where it happens to be right."""

import torch


class SquareWrong(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**2

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * x**2  # Should be 2 x.


at_two = torch.tensor([2.0], dtype=torch.float64, requires_grad=True)
print(torch.autograd.gradcheck(SquareWrong.apply, at_two))
#> True

torch.manual_seed(0)
anywhere = torch.randn(5, dtype=torch.float64, requires_grad=True)
print(torch.autograd.gradcheck(SquareWrong.apply, anywhere, raise_exception=False))
#> False

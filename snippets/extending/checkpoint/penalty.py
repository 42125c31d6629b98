"""A gradient penalty has no gradient with respect to `x` if the operation saves its derivative."""

import torch


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(3 * x**2)  # the slope, ready for backward
        return x**3

    @staticmethod
    def backward(ctx, grad_output):
        (slope,) = ctx.saved_tensors
        return grad_output * slope


x = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
w = torch.tensor(0.5, dtype=torch.float64, requires_grad=True)
print(torch.autograd.gradcheck(Cube.apply, x))
#> True

(slope,) = torch.autograd.grad(w * Cube.apply(x), x, create_graph=True)
(slope**2).backward()  # the penalty for a steep slope
print(slope.item(), w.grad.item())
#> 6.0 144.0
print(x.grad)
#> None

"""The value stays the same, and the gradient is scaled."""
# covers: function.gradcoeff

import torch


class ScaleGradient(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.factor = factor
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.factor, None


x = torch.tensor([2.0], requires_grad=True)
print(ScaleGradient.apply(x, -0.1))
#> tensor([2.], grad_fn=<ScaleGradientBackward>)

for factor in 1.0, -0.1:
    square = ScaleGradient.apply(x, factor) ** 2
    (gradient,) = torch.autograd.grad(square, x)
    print(factor, square, gradient)
#> 1.0 tensor([4.], grad_fn=<PowBackward0>) tensor([4.])
#> -0.1 tensor([4.], grad_fn=<PowBackward0>) tensor([-0.4000])

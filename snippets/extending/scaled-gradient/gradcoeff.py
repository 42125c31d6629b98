"""The value goes through unchanged, the gradient is scaled."""
# covers: function.gradcoeff

import torch


class GradCoeff(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, coeff):
        ctx.coeff = coeff
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad_output):
        return ctx.coeff * grad_output, None


x = torch.tensor([2.0], requires_grad=True)
y = GradCoeff.apply(x, -0.1)
print(y)
#> tensor([2.], grad_fn=<GradCoeffBackward>)

z = y**2
print(z)
#> tensor([4.], grad_fn=<PowBackward0>)
z.backward()
print(x.grad)
#> tensor([-0.4000])

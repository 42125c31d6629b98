"""A smaller factor makes smaller steps with SGD, but with Adam only the sign of the factor matters."""
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


def step(optimizer_class, factor):
    w = torch.tensor([2.0], requires_grad=True)
    optimizer = optimizer_class([w], lr=0.1)
    (ScaleGradient.apply(w, factor) * 3).backward()
    optimizer.step()
    return round(w.item() - 2, 3)


print([step(torch.optim.SGD, factor) for factor in (1.0, 0.1, -1.0)])
#> [-0.3, -0.03, 0.3]
print([step(torch.optim.Adam, factor) for factor in (1.0, 0.1, -1.0)])
#> [-0.1, -0.1, 0.1]

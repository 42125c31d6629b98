"""gradcheck compares gradients at the given points only."""
# covers: function.gradcheck

import torch
from torch.autograd import gradcheck


class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * torch.sigmoid(x)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        s = torch.sigmoid(x)
        return g * (s + x * s * (1 - s))


class Forgetful(Swish):
    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * torch.sigmoid(x)


# region: asked
torch.manual_seed(0)
x = torch.randn(5, dtype=torch.float64, requires_grad=True)
print(gradcheck(Swish.apply, x))
#> True
print(gradcheck(Forgetful.apply, x, raise_exception=False))
#> False

single = [torch.tensor([x], dtype=torch.float64, requires_grad=True) for x in (-1.0, 0.0, 1.0)]
print(*[gradcheck(Forgetful.apply, x, raise_exception=False) for x in single])
#> False True False
# endregion

# region: message
try:
    gradcheck(Forgetful.apply, torch.ones(1, dtype=torch.float64, requires_grad=True))
except RuntimeError as error:
    print(error)
#> Jacobian mismatch for output 0 with respect to input 0,
#> numerical:tensor([[0.9277]], dtype=torch.float64)
#> analytical:tensor([[0.7311]], dtype=torch.float64)
#>
# endregion


def claim(x):
    return Forgetful.apply(x)


point = -1.0

"""Two backwards for the same leaky ReLU, one right and one wrong. At the points below both pass. Choose points where `gradcheck` tells them apart: `True` for the first, `False` for the second."""
# exercise: repair
# covers: function.gradcheck
# about: extending/gradcheck.md#choose-the-points
# hint: The two backwards differ only where the input is negative.
# hint: At a kink even the right one fails.

# %% start
import torch
from torch.autograd import gradcheck


class Leaky(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.where(x > 0, x, 0.1 * x)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return torch.where(x > 0, g, 0.1 * g)


class Wrong(Leaky):
    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return torch.where(x > 0, g, 0.01 * g)


points = torch.tensor([0.5, 1.0, 3.0], dtype=torch.float64)
points.requires_grad_()
print(gradcheck(Leaky.apply, points, raise_exception=False))
print(gradcheck(Wrong.apply, points, raise_exception=False))

# %% solution
# - points = torch.tensor([0.5, 1.0, 3.0], dtype=torch.float64)
# + points = torch.tensor([-2.0, -0.5, 1.0, 3.0], dtype=torch.float64)

# %% right: random ones
# - points = torch.tensor([0.5, 1.0, 3.0], dtype=torch.float64)
# + torch.manual_seed(0)
# + points = torch.randn(10, dtype=torch.float64)

# %% check
assert not (points == 0).any(), "At zero there is no derivative, so even the right backward is refused."
assert points.dtype == torch.float64, "The points tell them apart, but with seven digits the right one is refused as well."
_x = points.detach().clone().requires_grad_()
_mark = torch.tensor([-1.5, 2.0], dtype=torch.float64, requires_grad=True)
assert gradcheck(Leaky.apply, _mark, raise_exception=False), "`Leaky` was right. Change the points, not the classes."
assert not gradcheck(Wrong.apply, _mark, raise_exception=False), "Now `Wrong` is right. It was to be found out, not mended."
assert not gradcheck(Wrong.apply, _x, raise_exception=False), "Both still pass. At these points the two backwards return the same."

# %% wrong: with zero
# - points = torch.tensor([0.5, 1.0, 3.0], dtype=torch.float64)
# + points = torch.tensor([-1.0, 0.0, 1.0], dtype=torch.float64)

# %% wrong: in single precision
# - points = torch.tensor([0.5, 1.0, 3.0], dtype=torch.float64)
# + points = torch.tensor([-2.0, -0.5, 1.0, 3.0])

# %% wrong: mended
# -         return torch.where(x > 0, g, 0.01 * g)
# +         return torch.where(x > 0, g, 0.1 * g)

# %% wrong: spoilt
# -         return torch.where(x > 0, g, 0.1 * g)
# +         return torch.where(x > 0, g, 0.2 * g)

"""A leaky ReLU has two versions of `backward`, a right one and a wrong one, and at these points both pass the test.

Choose points at which `gradcheck` returns `True` for `Leaky` and `False` for `Wrong`.
"""
# exercise: repair
# covers: function.gradcheck
# about: extending/gradcheck.md#choose-the-points
# hint: The two versions of `backward` differ only for negative inputs.
# hint: At a kink, even the right version fails.

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
assert not (points == 0).any(), "At zero there is no derivative, so `gradcheck` rejects even the right `backward`."
assert points.dtype == torch.float64, "These points distinguish the two, but they are in `float32`, where `gradcheck` rejects the right `backward` as well."
_x = points.detach().clone().requires_grad_()
_mark = torch.tensor([-1.5, 2.0], dtype=torch.float64, requires_grad=True)
assert gradcheck(Leaky.apply, _mark, raise_exception=False), "`Leaky` was right, and now it isn't. Change only the points."
assert not gradcheck(Wrong.apply, _mark, raise_exception=False), "Now `Wrong` is right. Leave its mistake in place, and choose points at which `gradcheck` finds it."
assert not gradcheck(Wrong.apply, _x, raise_exception=False), "Both still pass, because at these points the two versions of `backward` return the same numbers."

# %% wrong: with zero
# - points = torch.tensor([0.5, 1.0, 3.0], dtype=torch.float64)
# + points = torch.tensor([-1.0, 0.0, 1.0], dtype=torch.float64)

# %% wrong: in single precision
# - points = torch.tensor([0.5, 1.0, 3.0], dtype=torch.float64)
# + points = torch.tensor([-2.0, -0.5, 1.0, 3.0])

# %% wrong: repaired
# -         return torch.where(x > 0, g, 0.01 * g)
# +         return torch.where(x > 0, g, 0.1 * g)

# %% wrong: the right class changed
# -         return torch.where(x > 0, g, 0.1 * g)
# +         return torch.where(x > 0, g, 0.2 * g)

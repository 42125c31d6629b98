"""This `Softplus`, $\\log(1 + e^x)$, passes `gradcheck`, but not `gradgradcheck`. Repair the class, so that it passes both."""
# exercise: repair
# covers: function.save-for-backward
# about: extending/double-backward.md#it-breaks-without-a-word
# hint: What is saved here, `e`, is neither an input nor a result of the Function. PyTorch doesn't know how it was computed.
# hint: From `x` alone, `backward` can compute everything that it needs, and PyTorch records it.

# %% start
import torch
from torch.autograd import gradcheck, gradgradcheck


class Softplus(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        e = torch.exp(x)
        ctx.save_for_backward(e)
        return torch.log(1 + e)

    @staticmethod
    def backward(ctx, g):
        (e,) = ctx.saved_tensors
        return g * e / (1 + e)


x = torch.tensor([-1.0, 0.5, 2.0], dtype=torch.float64, requires_grad=True)
print(gradcheck(Softplus.apply, x))
print(gradgradcheck(Softplus.apply, x, raise_exception=False))

# %% solution
# -         ctx.save_for_backward(e)
# +         ctx.save_for_backward(x)

# -         (e,) = ctx.saved_tensors
# +         (x,) = ctx.saved_tensors
# +         e = torch.exp(x)

# %% right: from the result
# -         ctx.save_for_backward(e)
# -         return torch.log(1 + e)
# +         y = torch.log(1 + e)
# +         ctx.save_for_backward(y)
# +         return y

# -         (e,) = ctx.saved_tensors
# -         return g * e / (1 + e)
# +         (y,) = ctx.saved_tensors
# +         return g * (1 - torch.exp(-y))

# %% check
_x = torch.tensor([-0.7, 0.3, 1.9], dtype=torch.float64, requires_grad=True)
_y = Softplus.apply(_x)
_s = torch.sigmoid(_x.detach())
(_first,) = torch.autograd.grad((_y * _y).sum(), _x, create_graph=True)
try:
    _second = torch.autograd.grad(_first.sum(), _x)[0]
except RuntimeError:
    _second = None
assert _second is not None, "The second derivative now raises an error. It should have the right value instead."
assert not torch.allclose(_second, 2 * _s * _s), "In the second backward pass, the factor in `backward` is a constant, because `forward` computed it without recording."
assert torch.allclose(_second, 2 * _s * _s + 2 * _y * _s * (1 - _s)), "A part of the factor in `backward` is connected to the graph now, but not all of it."

# %% wrong: forbidden
# - from torch.autograd import gradcheck, gradgradcheck
# + from torch.autograd import gradcheck, gradgradcheck
# + from torch.autograd.function import once_differentiable

# -     @staticmethod
# -     def backward(ctx, g):
# +     @staticmethod
# +     @once_differentiable
# +     def backward(ctx, g):

# %% wrong: the input, and no exponential
# error: GradcheckError: Jacobian mismatch for output 0 with respect to input 0, ...
# hint: You save a different tensor now, so `backward` has to compute the exponential from it.
# -         ctx.save_for_backward(e)
# +         ctx.save_for_backward(x)

# %% wrong: half of it
# -         ctx.save_for_backward(e)
# +         ctx.save_for_backward(x, e)

# -         (e,) = ctx.saved_tensors
# -         return g * e / (1 + e)
# +         x, e = ctx.saved_tensors
# +         return g * torch.exp(x) / (1 + e)

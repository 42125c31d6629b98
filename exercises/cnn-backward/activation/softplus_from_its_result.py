"""This version of `softplus`, $y = \\ln(1 + e^z)$, saves only its result, and its `backward` passes the error on unchanged.

Write `backward` so that the gradient is right, without computing `z` again.
"""
# exercise: write
# covers: cnn.activation-backward
# about: cnn-backward/activation.md#what-is-kept
# hint: The derivative is the sigmoid of `z`. Write it with `y` instead of `z`.
# hint: From $e^y = 1 + e^z$ it follows that $e^z / (1 + e^z) = 1 - e^{-y}$.

# %% start
import torch


class Softplus(torch.autograd.Function):
    @staticmethod
    def forward(ctx, z):
        y = torch.log(1 + torch.exp(z))
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, delta):
        (y,) = ctx.saved_tensors
        return delta


z = torch.tensor([-2.0, 0.5, 3.0], requires_grad=True)
Softplus.apply(z).backward(torch.tensor([1.0, 10.0, 100.0]))
print(z.grad)

# %% solution
# -         return delta
# +         return delta * (1 - torch.exp(-y))

# %% right: by expm1
# -         return delta
# +         return -torch.expm1(-y) * delta

# %% check
_z = torch.tensor([-2.0, 0.5, 3.0], requires_grad=True)
_y = Softplus.apply(_z)
_saved = _y.grad_fn.saved_tensors
assert len(_saved) == 1 and torch.equal(_saved[0], _y), "Save the result, and nothing else."
_y.backward(torch.tensor([1.0, 10.0, 100.0]))
_slope = 1 / (1 + torch.exp(-_z.detach()))
assert not torch.equal(_z.grad, torch.tensor([1.0, 10.0, 100.0])), "The error passes unchanged, as if the derivative were 1 everywhere."
assert not torch.allclose(_z.grad, _slope), "This is the derivative alone. Multiply it by the error that arrives in `delta`."
assert torch.allclose(_z.grad, torch.tensor([1.0, 10.0, 100.0]) * _slope, atol=1e-5), "The factor isn't the derivative at `z`. The saved number is `y`, so the formula must be written with `y`."

# %% wrong: the sigmoid of the result
# -         return delta
# +         return delta * torch.sigmoid(y)

# %% wrong: the derivative alone
# -         return delta
# +         return 1 - torch.exp(-y)

# %% wrong: the input saved
# -         ctx.save_for_backward(y)
# +         ctx.save_for_backward(z)

# -         (y,) = ctx.saved_tensors
# -         return delta
# +         (z,) = ctx.saved_tensors
# +         return delta * torch.sigmoid(z)

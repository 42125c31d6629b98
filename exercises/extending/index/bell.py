"""Here is the forward of a bell, $e^{-x^2}$. Write its `backward`, and let it save one tensor."""
# exercise: write
# covers: function.steps function.save-for-backward function.saved-tensors
# about: extending/index.md#a-function-has-two-halves
# hint: The derivative of $e^{-x^2}$ is $-2x\,e^{-x^2}$. Which of its factors do you have in `forward`?
# hint: `g` is what arrives for the result. What becomes of it in every `backward`?

# %% start
import torch


class Bell(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return torch.exp(-x * x)

    @staticmethod
    def backward(ctx, g):
        return g


x = torch.tensor([-1.0, 0.0, 2.0], requires_grad=True)
(Bell.apply(x) * torch.tensor([1.0, 2.0, 3.0])).sum().backward()
print(x.grad)

# %% solution
# -         return torch.exp(-x * x)
# +         ctx.save_for_backward(x)
# +         return torch.exp(-x * x)

# -         return g
# +         (x,) = ctx.saved_tensors
# +         return g * -2 * x * torch.exp(-x * x)

# %% check
_x = torch.tensor([0.5, -1.5, 0.1], dtype=torch.float64, requires_grad=True)
_y = torch.exp(-_x * _x)
assert torch.allclose(Bell.apply(_x), _y), "`forward` is to stay the bell that it was."
_count = []
with torch.autograd.graph.saved_tensors_hooks(lambda t: _count.append(t.numel()) or t, lambda t: t):
    _result = Bell.apply(_x)
_weights = torch.tensor([1.0, 1.0, 1.0], dtype=torch.float64)
(_ones,) = torch.autograd.grad(_result, _x, _weights)
_right = torch.autograd.grad(_y, _x, _weights, retain_graph=True)[0]
assert not torch.equal(_ones, _weights), "`backward` passes on what arrives, as if the bell had the slope 1 everywhere. What is its derivative?"
assert not torch.allclose(_ones, -_right), "Each slope has the wrong sign. The bell falls on its right side, where `x` is positive."
assert torch.allclose(_ones, _right), "`gradcheck` would refuse this. At 0.5 the slope is -0.7788; which one do you return there?"
_weights = torch.tensor([1.0, -2.0, 5.0], dtype=torch.float64)
assert torch.allclose(torch.autograd.grad(Bell.apply(_x), _x, _weights)[0], torch.autograd.grad(_y, _x, _weights)[0]), "That is the derivative of the bell. What arrived for its result isn't always 1."
assert len(_count) == 1, f"{len(_count)} tensors went through `save_for_backward`. One is enough, and a tensor kept in another way isn't guarded by its version."

# %% right: in other words
# -         return torch.exp(-x * x)
# +         ctx.save_for_backward(x)
# +         return x.square().neg().exp()

# -         return g
# +         (x,) = ctx.saved_tensors
# +         y = x.square().neg().exp()
# +         return -2 * g * x * y

# %% wrong: what arrives is forgotten
# -         return torch.exp(-x * x)
# +         ctx.save_for_backward(x)
# +         return torch.exp(-x * x)

# -         return g
# +         (x,) = ctx.saved_tensors
# +         return -2 * x * torch.exp(-x * x)

# %% wrong: the outer derivative alone
# -         return torch.exp(-x * x)
# +         ctx.save_for_backward(x)
# +         return torch.exp(-x * x)

# -         return g
# +         (x,) = ctx.saved_tensors
# +         return g * torch.exp(-x * x)

# %% wrong: the sign
# -         return torch.exp(-x * x)
# +         ctx.save_for_backward(x)
# +         return torch.exp(-x * x)

# -         return g
# +         (x,) = ctx.saved_tensors
# +         return g * 2 * x * torch.exp(-x * x)

# %% wrong: an attribute of ctx
# -         return torch.exp(-x * x)
# +         ctx.x = x
# +         return torch.exp(-x * x)

# -         return g
# +         x = ctx.x
# +         return g * -2 * x * torch.exp(-x * x)

# %% wrong: another bell
# -         return torch.exp(-x * x)
# +         ctx.save_for_backward(x)
# +         return torch.exp(-x)

# -         return g
# +         (x,) = ctx.saved_tensors
# +         return -g * torch.exp(-x)

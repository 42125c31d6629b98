"""This Function computes the bell curve $e^{-x^2}$, but its `backward` is missing: it only passes the upstream gradient on.

Write it, with one saved tensor, so that `x.grad` is the gradient that PyTorch computes for `torch.exp(-x * x)`.
"""
# exercise: write
# covers: function.steps function.save-for-backward function.saved-tensors
# about: extending/index.md#a-function-has-two-halves
# hint: By the chain rule, the derivative of $e^{-x^2}$ is $-2x\,e^{-x^2}$. All of it can be computed from `x`.
# hint: `g` is the upstream gradient. Every `backward` returns `g` times a derivative.

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
assert torch.allclose(Bell.apply(_x), _y), "`forward` computes something else now. Leave the bell curve as it was, because only `backward` is missing."
_count = []
with torch.autograd.graph.saved_tensors_hooks(lambda t: _count.append(t.numel()) or t, lambda t: t):
    _result = Bell.apply(_x)
_weights = torch.tensor([1.0, 1.0, 1.0], dtype=torch.float64)
(_ones,) = torch.autograd.grad(_result, _x, _weights)
_right = torch.autograd.grad(_y, _x, _weights, retain_graph=True)[0]
assert not torch.equal(_ones, _weights), "`backward` still passes the upstream gradient on, as if the derivative were 1 everywhere. Multiply by the derivative of the bell curve."
assert _count or torch.allclose(_ones, _right), "`forward` has saved no tensor, so `backward` can't have used its input. A variable of the program that is called `x` is another tensor. Save the input with `ctx.save_for_backward(x)`."
assert not torch.allclose(_ones, -_right), "Each gradient has the wrong sign. The bell curve falls on its right side, where `x` is positive, so its derivative is negative there."
assert torch.allclose(_ones, _right), "`gradcheck` would refuse this. At 0.5 the derivative is -0.7788, and you return another number. By the chain rule there are two factors, $-2x$ and $e^{-x^2}$."
_weights = torch.tensor([1.0, -2.0, 5.0], dtype=torch.float64)
assert torch.allclose(torch.autograd.grad(Bell.apply(_x), _x, _weights)[0], torch.autograd.grad(_y, _x, _weights)[0]), "This is the derivative of the bell curve. `backward` should return `g` times the derivative, and `g` is not always 1."
assert len(_count) == 1, f"{len(_count)} tensors went through `save_for_backward`, and it should be one. A tensor that is kept in another way is not checked for in-place changes."

# %% right: in other words
# -         return torch.exp(-x * x)
# +         ctx.save_for_backward(x)
# +         return x.square().neg().exp()

# -         return g
# +         (x,) = ctx.saved_tensors
# +         y = x.square().neg().exp()
# +         return -2 * g * x * y

# %% wrong: without the upstream gradient
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

# %% wrong: the variable of the program
# -         return g
# +         return g * -2 * x * torch.exp(-x * x)

# %% wrong: the tuple
# error: TypeError: only integer tensors of a single element can be converted to an index
# hint: `ctx.saved_tensors` is a tuple, even if it holds a single tensor. Unpack it: `(x,) = ctx.saved_tensors`.

# -         return torch.exp(-x * x)
# +         ctx.save_for_backward(x)
# +         return torch.exp(-x * x)

# -         return g
# +         x = ctx.saved_tensors
# +         return g * -2 * x * torch.exp(-x * x)

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

# %% wrong: another curve
# -         return torch.exp(-x * x)
# +         ctx.save_for_backward(x)
# +         return torch.exp(-x)

# -         return g
# +         (x,) = ctx.saved_tensors
# +         return -g * torch.exp(-x)

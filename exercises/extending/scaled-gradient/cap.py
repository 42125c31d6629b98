"""One picture in a batch has an enormous error, and its gradient changes the weights far too much. Write `Cap` to limit the gradient.

Leave the value as it is, and clip each number of the gradient to the range from minus `limit` to plus `limit`.
"""
# exercise: write
# covers: function.gradcoeff, function.gradcoeff.none
# about: extending/scaled-gradient.md#the-example
# hint: `clamp` clips numbers to a range. Apply it to the gradient, and leave the value as it is.
# hint: `backward` returns one value per argument of `forward`. For the limit it is `None`.

# %% start
import torch


class Cap(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, limit):
        return x.view_as(x)

    @staticmethod
    def backward(ctx, g):
        return g, None


x = torch.tensor([1.0, -2.0, 30.0], requires_grad=True)
(Cap.apply(x, 5.0) ** 2).sum().backward()
print(x.grad)

# %% solution
# -         return x.view_as(x)
# +         ctx.limit = limit
# +         return x.view_as(x)

# -         return g, None
# +         return g.clamp(-ctx.limit, ctx.limit), None

# %% check
_x = torch.tensor([1.0, -2.0, 30.0], requires_grad=True)
_y = Cap.apply(_x, 5.0)
assert torch.equal(_y, _x), "The value has changed. Clip only the gradient."
_g = torch.autograd.grad((_y * torch.tensor([2.0, 70.0, -60.0])).sum(), _x)[0].tolist()
assert _g != [2.0, 70.0, -60.0], "The gradient isn't clipped. For 2, 70 and -60 it should be 2, 5 and -5."
assert _g[2] == -5.0 or _g[2] != -60.0, "The gradient -60 isn't clipped. Clip negative numbers as well."
assert abs(_g[0] - 2.0) < 1e-6, f"For 2, 70 and -60 you return {', '.join(f'{one:.2f}' for one in _g)}. The 2 is within the limit and should stay."
assert _g == [2.0, 5.0, -5.0], f"For 2, 70 and -60 you return {', '.join(f'{one:.2f}' for one in _g)}. A number that is too large should become the limit, with its sign."
_g = torch.autograd.grad((Cap.apply(_x, 50.0) * torch.tensor([2.0, 70.0, -60.0])).sum(), _x)[0].tolist()
assert _g == [2.0, 50.0, -50.0], "For a limit of 5 your gradient is right, but your program ignores other limits."

# %% right: with minimum and maximum
# -         return x.view_as(x)
# +         ctx.limit = limit
# +         return x.view_as(x)

# -         return g, None
# +         limit = torch.full_like(g, ctx.limit)
# +         return torch.minimum(torch.maximum(g, -limit), limit), None

# %% wrong: the value is cut off
# -         return x.view_as(x)
# +         ctx.limit = limit
# +         return x.clamp(-limit, limit)

# %% wrong: one side
# -         return x.view_as(x)
# +         ctx.limit = limit
# +         return x.view_as(x)

# -         return g, None
# +         return g.clamp(max=ctx.limit), None

# %% wrong: the whole gradient made shorter
# -         return x.view_as(x)
# +         ctx.limit = limit
# +         return x.view_as(x)

# -         return g, None
# +         return g * (ctx.limit / g.abs().max()), None

# %% wrong: too large becomes nothing
# -         return x.view_as(x)
# +         ctx.limit = limit
# +         return x.view_as(x)

# -         return g, None
# +         return g * (g.abs() <= ctx.limit), None

# %% wrong: always five
# -         return g, None
# +         return g.clamp(-5.0, 5.0), None

# %% wrong: nothing for the limit
# error: RuntimeError: function CapBackward returned an incorrect number of gradients (expected 2, got 1)
# hint: `forward` has two arguments beside `ctx`.
# -         return x.view_as(x)
# +         ctx.limit = limit
# +         return x.view_as(x)

# -         return g, None
# +         return g.clamp(-ctx.limit, ctx.limit)

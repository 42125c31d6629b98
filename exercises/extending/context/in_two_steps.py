"""`Swish` has the older form, so its `forward` can't be called without a `ctx`. Rewrite it with `setup_context`.

Save the same tensors as before, and return the same gradients.
"""
# exercise: write
# covers: function.steps
# about: extending/context.md#two-steps
# hint: `setup_context` has three arguments: the context, a tuple of the inputs, and what `forward` has returned.
# hint: `inputs` is a tuple, even if there is one input.

# %% start
import torch


class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, steepness):
        ctx.save_for_backward(x)
        ctx.steepness = steepness
        return x * torch.sigmoid(steepness * x)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        s = torch.sigmoid(ctx.steepness * x)
        return g * (s + ctx.steepness * x * s * (1 - s)), None


x = torch.tensor([-1.0, 0.5], requires_grad=True)
Swish.apply(x, 3.0).sum().backward()
print(x.grad)

# %% solution
# -     def forward(ctx, x, steepness):
# -         ctx.save_for_backward(x)
# -         ctx.steepness = steepness
# -         return x * torch.sigmoid(steepness * x)
# +     def forward(x, steepness):
# +         return x * torch.sigmoid(steepness * x)
# +
# +     @staticmethod
# +     def setup_context(ctx, inputs, output):
# +         x, ctx.steepness = inputs
# +         ctx.save_for_backward(x)

# %% check
_x = torch.tensor([-1.0, 0.5, 2.0], dtype=torch.float64, requires_grad=True)
_true = _x * torch.sigmoid(3.0 * _x)
try:
    _alone = Swish.forward(_x.detach(), 3.0)
except (TypeError, AttributeError):
    _alone = None
assert _alone is not None, "`Swish.forward(x, 3.0)` can't be called yet. It still expects a `ctx`."
assert torch.allclose(_alone, _true), "`forward` computes different values now."
_saved = []
with torch.autograd.graph.saved_tensors_hooks(lambda t: _saved.append(t.data_ptr()) or t, lambda t: t):
    _y = Swish.apply(_x, 3.0)
assert _y.grad_fn.name() == "SwishBackward", "The operations of `forward` are recorded one by one now. `Swish` should still be a `Function` with a single node."
assert _saved == [_x.data_ptr()], "Save the input and no other tensor, and use `save_for_backward` for it. An attribute isn't checked."
assert torch.allclose(torch.autograd.grad(_y.sum(), _x)[0], torch.autograd.grad(_true.sum(), _x)[0]), "For a steepness of 3 the gradient is wrong. `backward` should use the steepness that was passed to `forward`."

# %% right: the inputs by number
# -     def forward(ctx, x, steepness):
# -         ctx.save_for_backward(x)
# -         ctx.steepness = steepness
# -         return x * torch.sigmoid(steepness * x)
# +     def forward(x, steepness):
# +         return x * torch.sigmoid(steepness * x)
# +
# +     @staticmethod
# +     def setup_context(ctx, inputs, output):
# +         ctx.save_for_backward(inputs[0])
# +         ctx.steepness = inputs[1]

# %% wrong: the result is saved as well
# -     def forward(ctx, x, steepness):
# -         ctx.save_for_backward(x)
# -         ctx.steepness = steepness
# -         return x * torch.sigmoid(steepness * x)
# +     def forward(x, steepness):
# +         return x * torch.sigmoid(steepness * x)
# +
# +     @staticmethod
# +     def setup_context(ctx, inputs, output):
# +         x, ctx.steepness = inputs
# +         ctx.save_for_backward(x, output)

# -         (x,) = ctx.saved_tensors
# +         x, _ = ctx.saved_tensors

# %% wrong: the steepness is forgotten
# -     def forward(ctx, x, steepness):
# -         ctx.save_for_backward(x)
# -         ctx.steepness = steepness
# -         return x * torch.sigmoid(steepness * x)
# +     def forward(x, steepness):
# +         return x * torch.sigmoid(steepness * x)
# +
# +     @staticmethod
# +     def setup_context(ctx, inputs, output):
# +         ctx.save_for_backward(inputs[0])
# +         ctx.steepness = 1.0

# %% wrong: both forms at once
# error: TypeError: missing a required argument: 'steepness'
# hint: If `setup_context` is defined, `forward` receives no `ctx`.
# -     def forward(ctx, x, steepness):
# -         ctx.save_for_backward(x)
# -         ctx.steepness = steepness
# -         return x * torch.sigmoid(steepness * x)
# +     def forward(ctx, x, steepness):
# +         return x * torch.sigmoid(steepness * x)
# +
# +     @staticmethod
# +     def setup_context(ctx, inputs, output):
# +         x, ctx.steepness = inputs
# +         ctx.save_for_backward(x)

# %% wrong: a function instead
# -     def forward(ctx, x, steepness):
# -         ctx.save_for_backward(x)
# -         ctx.steepness = steepness
# -         return x * torch.sigmoid(steepness * x)
# +     def forward(x, steepness):
# +         return x * torch.sigmoid(steepness * x)
# +
# +     @staticmethod
# +     def apply(x, steepness):
# +         return Swish.forward(x, steepness)

# %% wrong: without the factor
# -     def forward(ctx, x, steepness):
# -         ctx.save_for_backward(x)
# -         ctx.steepness = steepness
# -         return x * torch.sigmoid(steepness * x)
# +     def forward(x, steepness):
# +         return torch.sigmoid(steepness * x)
# +
# +     @staticmethod
# +     def setup_context(ctx, inputs, output):
# +         x, ctx.steepness = inputs
# +         ctx.save_for_backward(x)

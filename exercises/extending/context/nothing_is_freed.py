"""Each iteration computes a new result and drops the one before, but at the end all five are still in memory.

Repair `Softplus`, so that only the last result is left. The garbage collector is switched off, and should stay off.
"""
# exercise: repair
# covers: function.save-for-backward
# about: extending/context.md#who-frees-the-memory
# hint: The result refers to its node by `grad_fn`, and `ctx`, which is the node, refers to the result by `ctx.y`. The two keep each other alive.
# hint: `save_for_backward` saves a result without such a cycle.

# %% start
import gc
import weakref

import torch

gc.disable()


class Softplus(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.y = torch.log(1 + torch.exp(x))
        return ctx.y

    @staticmethod
    def backward(ctx, g):
        return g * (1 - torch.exp(-ctx.y))


x = torch.tensor([-1.0, 0.0, 2.0], requires_grad=True)
made = []
for step in range(5):
    y = Softplus.apply(x)
    made.append(weakref.ref(y))
print(sum(one() is not None for one in made), "of", len(made), "are in memory")

# %% solution
# -         ctx.y = torch.log(1 + torch.exp(x))
# -         return ctx.y
# +         y = torch.log(1 + torch.exp(x))
# +         ctx.save_for_backward(y)
# +         return y

# -         return g * (1 - torch.exp(-ctx.y))
# +         (y,) = ctx.saved_tensors
# +         return g * (1 - torch.exp(-y))

# %% right: the input instead
# -         ctx.y = torch.log(1 + torch.exp(x))
# -         return ctx.y
# +         ctx.save_for_backward(x)
# +         return torch.log(1 + torch.exp(x))

# -         return g * (1 - torch.exp(-ctx.y))
# +         (x,) = ctx.saved_tensors
# +         return g * torch.sigmoid(x)

# %% check
_alive = sum(one() is not None for one in made)
assert _alive > 0, "No result is left, not even the last one, to which `y` should still refer."
assert _alive == 1 or gc.isenabled(), f"{_alive} of the five results are still in memory, because each is an attribute of its node."
assert not gc.isenabled(), "Now the garbage collector frees the results, but `Softplus` still creates the reference cycles."
_x = torch.tensor([-1.0, 0.0, 2.0], requires_grad=True)
_y = Softplus.apply(_x)
assert torch.allclose(torch.autograd.grad(_y.sum(), _x)[0], torch.sigmoid(_x.detach())), "The memory is freed, but the gradient is wrong."
_x = torch.tensor([-1.0, 0.0, 2.0], requires_grad=True)
_y = Softplus.apply(_x)
with torch.no_grad():
    _x.zero_()
    _y.detach().zero_()
try:
    _y.sum().backward()
    _noticed = False
except RuntimeError:
    _noticed = True
assert _noticed, "There is no cycle any more, but PyTorch can't notice if the tensor is overwritten. Only tensors that are saved with `save_for_backward` are checked."

# %% wrong: detached
# -         ctx.y = torch.log(1 + torch.exp(x))
# -         return ctx.y
# +         y = torch.log(1 + torch.exp(x))
# +         ctx.y = y.detach()
# +         return y

# %% wrong: the collector again
# - gc.disable()

# -     made.append(weakref.ref(y))
# +     made.append(weakref.ref(y))
# +     gc.collect()

# %% wrong: freed as if backward were done
# -     made.append(weakref.ref(y))
# +     made.append(weakref.ref(y))
# +     del y

# -         ctx.y = torch.log(1 + torch.exp(x))
# -         return ctx.y
# +         y = torch.log(1 + torch.exp(x))
# +         ctx.save_for_backward(y)
# +         return y

# -         return g * (1 - torch.exp(-ctx.y))
# +         (y,) = ctx.saved_tensors
# +         return g * (1 - torch.exp(-y))

# %% wrong: another derivative
# -         ctx.y = torch.log(1 + torch.exp(x))
# -         return ctx.y
# +         y = torch.log(1 + torch.exp(x))
# +         ctx.save_for_backward(y)
# +         return y

# -         return g * (1 - torch.exp(-ctx.y))
# +         (y,) = ctx.saved_tensors
# +         return g * y * (1 - y)

"""The gradient of `h` should be at most 4. This program limits each contribution, and the gradient is 7 all the same.

Limit the gradient itself.
"""
# exercise: repair
# covers: hooks.tensor-register-hook
# about: inside-the-engine/hooks.md#wait-for-your-turn
# hint: Each contribution is at most 4, but their sum is not. The sum is complete when the last contribution has arrived at `h`.
# hint: A hook on a tensor sees its whole gradient, and what it returns takes the place of what it saw.

# %% start
import torch


def limited(shares, _):
    return tuple(share if share is None else share.clamp(max=4) for share in shares)


a = torch.tensor([3.0, 4.0], requires_grad=True)
h = a * 2
up, down = h * 3, h * 5
up.grad_fn.register_hook(limited)
down.grad_fn.register_hook(limited)
(up + down).sum().backward()
print(a.grad)

# %% solution
# - def limited(shares, _):
# -     return tuple(share if share is None else share.clamp(max=4) for share in shares)
# + def limited(g):
# +     return g.clamp(max=4)

# - up.grad_fn.register_hook(limited)
# - down.grad_fn.register_hook(limited)
# + h.register_hook(limited)

# %% check
assert up.tolist() == [18.0, 24.0] and down.tolist() == [30.0, 40.0], "The values of the forward pass have changed. Only the gradient should."
assert a.grad.tolist() != [14.0, 14.0], "`a` gets 14, twice the gradient of `h`: 3 through `up`, and 4, the limit, through `down`. Neither contribution is too large, but their sum is."
assert a.grad.tolist() != [16.0, 16.0], "`a` gets 16, twice the gradient 8 of `h`, so nothing was limited. A hook must return the new gradient."
assert a.grad.tolist() != [4.0, 4.0], "You have limited the gradient of `a`, one step later. The limit is for the gradient of `h`."
assert a.grad.tolist() == [8.0, 8.0], f"With a limit of 4 at `h`, `a` gets 8. Here it gets {a.grad.tolist()}."

# %% wrong: a lower limit for each contribution
# -     return tuple(share if share is None else share.clamp(max=4) for share in shares)
# +     return tuple(share if share is None else share.clamp(max=3) for share in shares)

# %% wrong: on the leaf
# - def limited(shares, _):
# -     return tuple(share if share is None else share.clamp(max=4) for share in shares)
# + def limited(g):
# +     return g.clamp(max=4)

# - up.grad_fn.register_hook(limited)
# - down.grad_fn.register_hook(limited)
# + a.register_hook(limited)

# %% wrong: returns nothing
# - def limited(shares, _):
# -     return tuple(share if share is None else share.clamp(max=4) for share in shares)
# + def limited(g):
# +     g.clamp(max=4)

# - up.grad_fn.register_hook(limited)
# - down.grad_fn.register_hook(limited)
# + h.register_hook(limited)

# %% wrong: smaller factors
# - up, down = h * 3, h * 5
# + up, down = h * 2, h * 2

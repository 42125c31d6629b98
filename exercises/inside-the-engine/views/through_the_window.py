"""Some elements of `h` were changed in place, through a window, by an operation whose rule is `rule`. Write the gradient of the old `h`."""
# exercise: write
# covers: inplace.definition
# about: inside-the-engine/views.md#when-the-view-changes
# hint: The elements outside the window were not changed, so what arrives for them passes as it is.
# hint: Inside, read what has arrived, send it through the rule, and put it back. Work on a copy, because another node may need `g` itself.

# %% start
import torch


def to_base(g, places, rule):
    """The gradient of `h` before the change; `g` is that of `h` after it, `places` those of the window."""
    return rule(g)


places = torch.tensor([1, 2])
print(to_base(torch.ones(4), places, lambda g: g * 10))

a = torch.zeros(4, requires_grad=True)
h = a.clone()
h[1:3].mul_(10)
h.sum().backward()
print(a.grad)

# %% solution
# -     return rule(g)
# +     out = g.clone()
# +     out[places] = rule(g[places])
# +     return out

# %% right: with a mask
# -     return rule(g)
# +     inside = torch.zeros(len(g), dtype=torch.bool)
# +     inside[places] = True
# +     return torch.where(inside, rule(g), g)

# %% check
_arrived = torch.tensor([1.0, 2.0, 3.0, 4.0, 5.0])
_given = _arrived.clone()
_found = to_base(_given, torch.tensor([4, 1]), lambda _g: _g * 10)
assert torch.equal(_given, _arrived), "Your answer is written into `g`. Somebody else may still need what arrived."
assert _found.shape == _arrived.shape, "The gradient has as many elements as the whole of `h`, not as the window."
assert _found[0] != 0, "Outside the window nothing was changed, so the gradient passes. You send zero."
assert _found[0] == 1, "An element outside the window wasn't multiplied, and its gradient goes through the rule."
assert torch.equal(_found, torch.tensor([1.0, 20.0, 3.0, 4.0, 50.0])), f"Places 4 and 1 were multiplied by ten, and out of {_arrived.tolist()} you made {_found.tolist()}."

# %% wrong: zeros elsewhere
# -     return rule(g)
# +     out = torch.zeros_like(g)
# +     out[places] = rule(g[places])
# +     return out

# %% wrong: only the window
# -     return rule(g)
# +     return rule(g[places])

# %% wrong: written into what arrived
# -     return rule(g)
# +     g[places] = rule(g[places])
# +     return g

# %% wrong: from the first to the last
# -     return rule(g)
# +     out = g.clone()
# +     out[places.min() : places.max() + 1] = rule(g[places.min() : places.max() + 1])
# +     return out

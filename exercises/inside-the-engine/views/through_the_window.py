"""Some elements of `h` were changed in place through a view, by an operation whose rule is `rule`. The gradient of the old `h` is wrong.

Write it in `to_base`, without changing `g`.
"""
# exercise: write
# covers: inplace.definition
# about: inside-the-engine/views.md#when-the-view-changes
# hint: The elements outside the view were not changed, so their gradient passes unchanged.
# hint: Read the gradient of the elements inside, send it through the rule, and write it back. Work on a copy, because another node may need `g` itself.

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
assert torch.equal(_given, _arrived), "You have written into `g`, and another node may still need it."
assert _found.shape == _arrived.shape, "The gradient must have as many elements as the whole of `h`, and yours has fewer."
assert _found[0] != 0, "Outside the view nothing was changed, so the gradient passes. You send zero."
assert _found[0] == 1, "An element outside the view wasn't multiplied, but you send its gradient through the rule."
assert torch.equal(_found, torch.tensor([1.0, 20.0, 3.0, 4.0, 50.0])), f"The elements at the positions 4 and 1 were multiplied by ten. From {_arrived.tolist()} you compute {_found.tolist()}."

# %% wrong: zeros elsewhere
# -     return rule(g)
# +     out = torch.zeros_like(g)
# +     out[places] = rule(g[places])
# +     return out

# %% wrong: only the view
# -     return rule(g)
# +     return rule(g[places])

# %% wrong: written into the upstream gradient
# -     return rule(g)
# +     g[places] = rule(g[places])
# +     return g

# %% wrong: from the first to the last
# -     return rule(g)
# +     out = g.clone()
# +     out[places.min() : places.max() + 1] = rule(g[places.min() : places.max() + 1])
# +     return out

"""The loss reaches `w` by two paths, and one of them is cut, so half of the gradient is missing. There is no error. Repair the program so that both paths contribute. You don't have to round `gate`."""
# exercise: repair
# covers: graph.example.requires-grad-propagates
# about: why-autograd/requires-grad.md#a-cut-that-nobody-wanted
# hint: Print `requires_grad` of each tensor, from `w` to `loss`.
# hint: `int()` makes integers, which have no gradient, and nothing restores the graph after it. Compute `gate` from floating-point numbers alone.

# %% start
import torch

x = torch.tensor([1.0, 2.0, 3.0])
w = torch.tensor(0.6, requires_grad=True)

scaled = x * w
gate = (scaled * 10).int().float() / 10  # one digit is enough
loss = (scaled * gate).sum()
loss.backward()
print(w.grad)

# %% solution
# - gate = (scaled * 10).int().float() / 10  # one digit is enough
# + gate = scaled

# %% check
assert abs(loss.item() - 5.04) < 1e-3, "The loss should keep its value."
assert gate.requires_grad or abs(w.grad.item() - 16.8) < 1e-3, "`gate` counts as a constant, so half of the gradient is missing."
assert not gate.is_leaf or not gate.requires_grad, "`gate` requires a gradient now, but it is a leaf: a new graph begins there, which doesn't lead to `w`."
assert abs(w.grad.item() - 16.8) < 1e-3, "Autograd records `gate` now, but its contribution is still missing. The derivative of a rounded number is 0."

# %% wrong: round in place of int
# - gate = (scaled * 10).int().float() / 10  # one digit is enough
# + gate = torch.round(scaled * 10) / 10

# %% wrong: asked for afterwards
# - gate = (scaled * 10).int().float() / 10  # one digit is enough
# + gate = ((scaled * 10).int().float() / 10).requires_grad_()

# %% wrong: left out
# - loss = (scaled * gate).sum()
# + loss = scaled.sum()

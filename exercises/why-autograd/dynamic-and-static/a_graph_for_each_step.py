"""Somebody drew the map first: compute the loss once, then go back through it as often as needed. Repair the training, so that `w` reaches the lowest point."""
# exercise: repair
# covers: graph.dynamic.rebuild
# about: why-autograd/dynamic-and-static.md#one-backward-per-graph
# hint: The first `backward` frees the saved tensors. Only a new forward pass saves them again.
# hint: `retain_graph=True` keeps the numbers of the *first* forward pass. They are wrong for a `w` that has moved.

# %% start
import torch

w = torch.tensor([3.0, 1.0], requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.05)
target = torch.tensor([1.0, 2.0])

loss = ((w * w - target) ** 2).mean()
for step in range(100):
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(w)

# %% solution
# - loss = ((w * w - target) ** 2).mean()
# - for step in range(100):
# + for step in range(100):
# +     loss = ((w * w - target) ** 2).mean()

# %% check
_lowest = torch.tensor([1.0, 2.0]).sqrt()
assert step == 99, "It runs, but not often enough to arrive."
assert not torch.allclose(w, torch.tensor([3.0, 1.0])), "`w` is still where it began. Which tensor went into the loss?"
assert torch.allclose(w.detach().abs(), _lowest, atol=1e-3), "`w` moves, and always by the slope of the place where it began. The loss has to be computed where `w` is now."

# %% wrong: keep the graph
# error: RuntimeError: one of the variables needed for gradient computation has been modified ...
# hint: The old graph is kept, but the step has changed the `w` that it had saved. It's the graph of another place.

# -     loss.backward()
# +     loss.backward(retain_graph=True)

# %% wrong: one step only
# - for step in range(100):
# + for step in range(1):

# %% wrong: the gradient of the first place, again and again
# - for step in range(100):
# -     optimizer.zero_grad()
# -     loss.backward()
# -     optimizer.step()
# + loss.backward()
# + for step in range(100):
# +     optimizer.step()

# %% wrong: a copy of the weights in the loss
# - loss = ((w * w - target) ** 2).mean()
# - for step in range(100):
# + for step in range(100):
# +     v = w.detach().requires_grad_()
# +     loss = ((v * v - target) ** 2).mean()

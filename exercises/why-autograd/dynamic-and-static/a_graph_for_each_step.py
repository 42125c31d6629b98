"""The program computes the loss once and then calls `backward` for it in each step. Repair the training so that `w` reaches the lowest point."""
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
assert step == 99, "The program runs without an error, but it must make all 100 steps."
assert not torch.allclose(w, torch.tensor([3.0, 1.0])), "`w` still has its first value, because the loss is computed from another tensor."
assert torch.allclose(w.detach().abs(), _lowest, atol=1e-3), "`w` moves, but always by the gradient at its first value. Compute the loss again in each step."

# %% wrong: keep the graph
# error: RuntimeError: one of the variables needed for gradient computation has been modified ...
# hint: The old graph is kept, but the step has changed the `w` that it had saved. Build a new graph in each step.

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

"""No weight may be below zero, so after each step the program sets the negative ones to zero. PyTorch refuses. Repair the training.

At the end the loss must be the smallest one possible with weights like that.
"""
# exercise: repair
# covers: inplace.leaf-modify.no-grad
# about: in-place/leaves.md#two-ways-to-change-a-leaf
# hint: The message is about a leaf and a write that would be recorded. This write needs no gradient, so it need not be recorded.
# hint: `w = w.clamp(min=0)` doesn't write to `w`. It makes a new tensor, and the optimizer still holds the old one.

# %% start
import torch

x = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
y = torch.tensor([2.0, -1.0, 1.0])
w = torch.tensor([0.5, 0.5], requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.2)

for step in range(200):
    loss = ((x @ w - y) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    w.clamp_(min=0)
print(w, loss)

# %% solution
# -     w.clamp_(min=0)
# +     with torch.no_grad():
# +         w.clamp_(min=0)

# %% right: through a detached tensor
# -     w.clamp_(min=0)
# +     w.detach().clamp_(min=0)

# %% check
assert optimizer.param_groups[0]["params"][0] is w, "The optimizer holds the old `w`, and goes on changing that one. It never learns of the new tensor with the same name."
assert w.min().item() >= 0, "A weight is still below zero: something was clamped, but not the tensor that the optimizer changes."
assert abs(w[0].item() - 1.5) < 0.01 and w[1].item() == 0.0, "No weight is negative, but the first one has not arrived. Is it clamped too early, or held back from training?"

# %% wrong: a new tensor of the same name
# error: RuntimeError: Trying to backward through the graph a second time ...
# hint: `w` is a result now. The next loss leads back through `clamp` to the step before, which has been gone through already.

# -     w.clamp_(min=0)
# +     w = w.clamp(min=0)

# %% wrong: a new leaf of the same name
# -     w.clamp_(min=0)
# +     w = w.detach().clamp(min=0).requires_grad_()

# %% wrong: a clamped copy
# -     w.clamp_(min=0)
# +     w.detach().clone().clamp_(min=0)

# %% wrong: without a gradient from here on
# -     w.clamp_(min=0)
# +     w.requires_grad_(False)
# +     w.clamp_(min=0)
# +     break

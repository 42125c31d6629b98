"""No weight may be negative, so the program sets negative weights to zero after each step, but PyTorch raises an error.

Repair the training. At the end, the loss must be the smallest that is possible without negative weights.
"""
# exercise: repair
# covers: inplace.leaf-modify.no-grad
# about: in-place/leaves.md#two-ways-to-change-a-leaf
# hint: The message is about a recorded write to a leaf. This write needs no gradient, so it doesn't have to be recorded.
# hint: `w = w.clamp(min=0)` doesn't write to `w`. It computes a new tensor, and the optimizer still updates the old one.

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
assert optimizer.param_groups[0]["params"][0] is w, "`w` is now a new tensor. The optimizer still updates the old tensor, because that is the one it was created with."
assert w.min().item() >= 0, "A weight is still negative. Your program clamps a tensor, but not the one that the optimizer updates."
assert abs(w[0].item() - 1.5) < 0.01 and w[1].item() == 0.0, "No weight is negative, but the weights should be 1.5 and 0 at the end. The training stops too early, or `w` doesn't receive all of its updates."

# %% wrong: a new tensor of the same name
# error: RuntimeError: Trying to backward through the graph a second time ...
# hint: `w` is now the result of `clamp`, so the graph of the next loss leads back into the step before. That step has had its backward pass, which freed its graph.

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

"""The program saves the weights of the best step and restores them at the end, but the final loss is still that of the last step.

Repair the program: the final loss must be the smallest of all 30. Leave the training as it is; its large steps are intended.
"""
# exercise: repair
# about: in-place/leaves.md#side-by-side
# hint: Print `best` in each step. It changes in every step, even if the loss is higher than before.
# hint: An optimizer writes its steps into `w` in place, and a detached tensor shares its memory with `w`.

# %% start
import torch

x = torch.tensor([1.0, 2.0, 3.0])
y = torch.tensor([2.0, 3.0, 7.0])
w = torch.tensor([3.0, 0.0], requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1, momentum=0.9)


def loss_of(w):
    return ((w[0] * x + w[1] - y) ** 2).mean()


losses, best = [], None
for step in range(30):
    loss = loss_of(w)
    losses.append(loss.item())
    if loss.item() == min(losses):
        best = w.detach()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

with torch.no_grad():
    w.copy_(best)
print(min(losses), loss_of(w).item())

# %% solution
# -         best = w.detach()
# +         best = w.detach().clone()

# %% right: a clone with its graph
# -         best = w.detach()
# +         best = w.clone()

# %% right: as numbers
# -         best = w.detach()
# +         best = torch.tensor(w.tolist())

# %% check
assert len(losses) == 30 and optimizer.param_groups[0]["lr"] == 0.1, "Leave the training as it is."
assert optimizer.param_groups[0]["params"][0] is w, "`w` is now another tensor. The optimizer still updates the tensor that it was created with, so write the best numbers into that one."
assert abs(loss_of(w).item() - losses[0]) > 1e-4, "Your program saves the weights of the first step only. Save them again whenever the loss is smaller than before."
assert abs(loss_of(w).item() - min(losses)) < 1e-5, f"The best loss was {min(losses):.4f}, and the restored weights have {loss_of(w).item():.4f}. Check that `best` is a copy of the weights, and that the training is unchanged."

# %% wrong: smaller steps
# - optimizer = torch.optim.SGD([w], lr=0.1, momentum=0.9)
# + optimizer = torch.optim.SGD([w], lr=0.02)

# %% wrong: another tensor
# -         best = w.detach()
# +         best = w.detach().clone()

# - with torch.no_grad():
# -     w.copy_(best)
# + w = best

# %% wrong: only the first
# -     if loss.item() == min(losses):
# -         best = w.detach()
# +     if best is None:
# +         best = w.detach().clone()

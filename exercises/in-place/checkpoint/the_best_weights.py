"""The weights of the best step are put aside, and put back at the end. But the loss at the end is that of the last step. Repair the program.

The training itself is right: its steps are meant to be that large.
"""
# exercise: repair
# about: in-place/detach-and-data.md#side-by-side
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

# %% right: a clone with its record
# -         best = w.detach()
# +         best = w.clone()

# %% right: as numbers
# -         best = w.detach()
# +         best = torch.tensor(w.tolist())

# %% check
assert len(losses) == 30 and optimizer.param_groups[0]["lr"] == 0.1, "Leave the training as it is."
assert optimizer.param_groups[0]["params"][0] is w, "The numbers may be right, but `w` is another tensor now. The optimizer holds the one that it was given."
assert abs(loss_of(w).item() - losses[0]) > 1e-4, "Put aside once, and never again. Which step was the best?"
assert abs(loss_of(w).item() - min(losses)) < 1e-5, f"The best loss was {min(losses):.4f}, and the weights put back have {loss_of(w).item():.4f}. Is what was put aside a copy?"

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

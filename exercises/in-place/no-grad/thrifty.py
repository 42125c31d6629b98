"""To save memory, somebody computed the score without a record. Now `backward` refuses. Repair the program, so that it trains."""
# exercise: repair
# covers: autograd.no-grad
# about: in-place/no-grad.md#nothing-is-recorded
# hint: Print `score.requires_grad`. Which way would a gradient take from the loss to `w`?
# hint: `requires_grad_()` on a result begins a new record there. How far back does that one go?

# %% start
import torch

x = torch.tensor([0.0, 0.25, 0.75, 1.0])
y = torch.tensor([0.0, 0.0, 1.0, 1.0])
w = torch.tensor(0.0, requires_grad=True)
b = torch.tensor(0.0, requires_grad=True)
optimizer = torch.optim.SGD([w, b], lr=0.5)

for step in range(40):
    with torch.no_grad():
        score = w * x + b
    loss = ((score - y) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(w, b, loss)

# %% solution
# -     with torch.no_grad():
# -         score = w * x + b
# +     score = w * x + b

# %% check
assert w.item() != 0.0 or score.is_leaf is False or score.grad is None, "No error, and `w` is still 0. The gradient reached `score`, and nothing leads on from there."
assert w.item() != 0.0 or b.item() != 0.0, "No error, and `w` and `b` are still 0: the record that you asked for begins at the loss and ends there."
assert abs(w.item() - 1.2) < 0.02 and abs(b.item() + 0.1) < 0.02, "`w` and `b` move now, but they don't arrive at 1.2 and -0.1. Both have to be in the record."

# %% wrong: a loss that requires a gradient by order
# -     loss = ((score - y) ** 2).mean()
# +     loss = ((score - y) ** 2).mean().requires_grad_()

# %% wrong: a score that requires a gradient by order
# -     loss = ((score - y) ** 2).mean()
# +     score.requires_grad_()
# +     loss = ((score - y) ** 2).mean()

# %% wrong: only half of it recorded
# -     with torch.no_grad():
# -         score = w * x + b
# +     with torch.no_grad():
# +         scaled = w * x
# +     score = scaled + b

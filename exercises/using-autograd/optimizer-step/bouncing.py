"""The loss of this program goes up and down and never settles, because gradients of earlier steps are still in `.grad`.

Repair the loop so that the loss falls below 0.026 within the 40 steps. The learning rate and the loss are right as they are.
"""
# exercise: repair
# covers: train.iteration-three-steps autograd.grad-accumulates
# about: using-autograd/optimizer-step.md#a-missing-line
# hint: Print `w.grad` after each `backward`, and compare its size with the size of the loss.
# hint: Count the calls: in 40 steps, `backward` runs 40 times, and `zero_grad` runs only once.
# hint: `zero_grad` may stand anywhere between one `step` and the next `backward`.

# %% start
import torch

x = torch.tensor([0.0, 0.25, 0.75, 1.0])
y = torch.tensor([0.0, 0.0, 1.0, 1.0])
w = torch.tensor(0.0, requires_grad=True)
b = torch.tensor(0.0, requires_grad=True)
optimizer = torch.optim.SGD([w, b], lr=0.5)

optimizer.zero_grad()
losses = []
for step in range(40):
    loss = ((w * x + b - y) ** 2).mean()
    loss.backward()
    optimizer.step()
    losses.append(loss.item())
print(losses)

# %% solution
# -     loss.backward()
# +     optimizer.zero_grad()
# +     loss.backward()

# %% right: cleared after the step
# -     optimizer.step()
# +     optimizer.step()
# +     optimizer.zero_grad()

# %% right: cleared by hand
# -     loss.backward()
# +     w.grad = b.grad = None
# +     loss.backward()

# %% check
assert w.item() != 0.0 or b.item() != 0.0, "`w` and `b` have not moved at all: `zero_grad` runs between `backward` and `step`, so `step` finds no gradient."
with torch.no_grad():
    _loss = ((w * x + b - y) ** 2).mean().item()
_rises = sum(later > earlier + 1e-6 for earlier, later in zip(losses, losses[1:], strict=False))
assert _rises < 2 or losses[1] < 0.3, "A smaller learning rate makes the swings slower, but the gradients of earlier steps are still added to each new one."
assert _rises < 2, "The loss still goes up and down. Gradients of earlier steps are still in `.grad` when `step` reads it. Look at both, `w.grad` and `b.grad`."
assert _loss < 0.026, f"The loss no longer swings, but after 40 steps it is {_loss:.4f}. With both gradients cleared and a learning rate of 0.5 it falls to 0.0250."

# %% wrong: cleared between backward and step
# -     optimizer.step()
# +     optimizer.zero_grad()
# +     optimizer.step()

# %% wrong: a smaller learning rate
# - optimizer = torch.optim.SGD([w, b], lr=0.5)
# + optimizer = torch.optim.SGD([w, b], lr=0.05)

# %% wrong: smaller steps, cleared
# - optimizer = torch.optim.SGD([w, b], lr=0.5)
# + optimizer = torch.optim.SGD([w, b], lr=0.05)

# -     loss.backward()
# +     optimizer.zero_grad()
# +     loss.backward()

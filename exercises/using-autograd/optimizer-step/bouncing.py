"""This loss goes up and down and never settles. Repair the loop, so that it finds the best `w` and `b` within its 40 steps.

More steps are not the answer, and the loss of each step has to stay the mean over the four pictures.
"""
# exercise: repair
# covers: train.iteration-three-steps autograd.grad-accumulates
# about: using-autograd/optimizer-step.md#what-if-you-lose-a-line
# hint: Print `w.grad` in each step, beside what the slope of this step alone would be.
# hint: How often does the line that clears run, and how often does `backward` run?
# hint: `zero_grad` may come anywhere between one `step` and the next `backward`.

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
assert w.item() != 0.0 or b.item() != 0.0, "`w` and `b` have not moved at all. What does `step` find in `.grad` when you clear right before it?"
with torch.no_grad():
    _loss = ((w * x + b - y) ** 2).mean().item()
_turns = sum(later > earlier + 1e-6 for earlier, later in zip(losses, losses[1:], strict=False))
assert _turns < 2 or losses[1] < 0.3, "A smaller learning rate makes the swings longer; it doesn't take the old gradients away."
assert _turns < 2, "The loss still goes up as often as down. `backward` still adds to the gradients of all the steps before."
assert _loss < 0.026, f"No bouncing any more, and after 40 steps the loss is {_loss:.4f}. With both `w` and `b` cleared and a learning rate of 0.5 it gets to 0.0250."

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

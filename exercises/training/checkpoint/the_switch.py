"""For 20 steps this program trains only `b`, and after that `w` and `b`. At the switch, the loss jumps from 0.25 to more than 5.

Repair the program so that the loss never rises. `w` must still rest during the first 20 steps, and the learning rates stay as they are.
"""
# exercise: repair
# covers: autograd.grad-accumulates
# about: using-autograd/optimizer-step.md#gradients-accumulate
# hint: Print `w.grad` at the end of the first 20 steps.
# hint: `backward` computes a gradient for every leaf that requires one. `zero_grad` clears only the tensors in the list of its optimizer.

# %% start
import torch

x = torch.tensor([0.0, 0.25, 0.75, 1.0])
y = torch.tensor([0.0, 0.0, 1.0, 1.0])
w = torch.tensor(0.0, requires_grad=True)
b = torch.tensor(0.0, requires_grad=True)
losses = []


def train(optimizer, steps):
    for step in range(steps):
        loss = ((w * x + b - y) ** 2).mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
        optimizer.zero_grad()


train(torch.optim.SGD([b], lr=0.5), steps=20)
train(torch.optim.SGD([w, b], lr=0.5), steps=40)
print(losses[19:23])

# %% solution
# - train(torch.optim.SGD([w, b], lr=0.5), steps=40)
# + w.grad = None
# + train(torch.optim.SGD([w, b], lr=0.5), steps=40)

# %% right: zero_grad first
# -         loss.backward()
# -         optimizer.step()
# -         losses.append(loss.item())
# -         optimizer.zero_grad()
# +         optimizer.zero_grad()
# +         loss.backward()
# +         optimizer.step()
# +         losses.append(loss.item())

# %% right: no gradient for w at first
# - train(torch.optim.SGD([b], lr=0.5), steps=20)
# + w.requires_grad_(False)
# + train(torch.optim.SGD([b], lr=0.5), steps=20)
# + w.requires_grad_(True)

# %% check
assert len(losses) == 60, f"The program should take 20 and then 40 steps. Yours has taken {len(losses)}."
assert losses[1] < losses[0], "The loss stays the same: the gradients are cleared before `step` can read them."
assert abs(losses[19] - 0.25) < 1e-3, "`w` already moves during the first 20 steps. It should rest until the switch."
assert max(losses[20:]) < 0.5, f"After the switch the loss still jumps to {max(losses[20:]):.1f}. The first step of `w` follows the sum of all the gradients that were computed while it rested."
assert losses[-1] < 0.026, f"The jump is gone, but the loss ends at {losses[-1]:.4f}. With a learning rate of 0.5 it falls to 0.0250. The learning rate was not the cause."

# %% wrong: everything from the beginning
# - train(torch.optim.SGD([b], lr=0.5), steps=20)
# + train(torch.optim.SGD([w, b], lr=0.5), steps=20)

# %% wrong: a smaller learning rate after the switch
# - train(torch.optim.SGD([w, b], lr=0.5), steps=40)
# + train(torch.optim.SGD([w, b], lr=0.02), steps=40)

# %% wrong: cleared before the step
# -         optimizer.step()
# -         losses.append(loss.item())
# -         optimizer.zero_grad()
# +         optimizer.zero_grad()
# +         optimizer.step()
# +         losses.append(loss.item())

# %% wrong: fewer steps after the switch
# - train(torch.optim.SGD([w, b], lr=0.5), steps=40)
# + train(torch.optim.SGD([w, b], lr=0.5), steps=1)

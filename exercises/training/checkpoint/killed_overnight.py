"""The training keeps its losses for a plot, and during the night it is killed: no memory left. Repair it, so that the history keeps numbers."""
# exercise: repair
# about: in-place/no-grad.md
# hint: What does a loss hold on to, besides its value?
# hint: Which method takes the number out of a tensor?

# %% start
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(3, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(20, 3), torch.randn(20, 1)

history = []
for step in range(20):
    loss = (net(x) - y).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    history.append(loss)

# %% solution
# -     history.append(loss)
# +     history.append(loss.item())

# %% right: detached
# -     history.append(loss)
# +     history.append(loss.detach())

# %% check
assert len(history) == 20, "The plot needs all twenty losses."
assert not any(isinstance(_l, torch.Tensor) and _l.grad_fn is not None for _l in history), "Each loss in the history still leads to its graph: `grad_fn` is not None."
assert history[-1] < history[0], "The memory is safe, and the network doesn't learn any more. Only the *copy* for the history is to lose its record."


# %% wrong: only the last one
# -     history.append(loss)
# +     history = [loss.item()]

# %% wrong: nothing recorded, nothing learned
# -     loss = (net(x) - y).square().mean()
# -     optimizer.zero_grad()
# -     loss.backward()
# +     with torch.no_grad():
# +         loss = (net(x) - y).square().mean()
# +     optimizer.zero_grad()

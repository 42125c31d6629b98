"""A network has two losses and one step for each. `backward` of the second stops with "modified by an inplace operation". Repair it: one step, down both losses together."""
# exercise: repair
# covers: inplace.error.modified
# about: in-place/versions.md
# hint: Which line writes into a weight that the second `backward` still needs?
# hint: `retain_graph` keeps what was saved. Is it still what was saved, after the step?
# hint: `backward` adds to what is there. So two passes can share one step.

# %% start
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(8, 3)
before = [p.detach().clone() for p in net.parameters()]

scores = net(x)
first = (scores[:, 0] - 1).square().mean()
second = (scores[:, 1] + 1).square().mean()
optimizer.zero_grad()
first.backward(retain_graph=True)
optimizer.step()
second.backward()
optimizer.step()

# %% solution
# - optimizer.step()
# - second.backward()
# + second.backward()

# %% right: one sum
# - first.backward(retain_graph=True)
# - optimizer.step()
# - second.backward()
# + (first + second).backward()

# %% check
_p = [_b.clone().requires_grad_() for _b in before]
_s = torch.tanh(x @ _p[0].T + _p[1]) @ _p[2].T + _p[3]
_loss = (_s[:, 0] - 1).square().mean() + (_s[:, 1] + 1).square().mean()
_g = torch.autograd.grad(_loss, _p)
assert not all(torch.equal(_a, _b) for _a, _b in zip(net.parameters(), before, strict=True)), "No error, and no step either."
assert all(torch.allclose(_a, _b - 0.1 * _d, atol=1e-6) for _a, _b, _d in zip(net.parameters(), before, _g, strict=True)), "It runs, and the step isn't one step down the sum of both losses. Whose gradients were in `.grad` when `step` read them?"

# %% wrong: a new forward after the first step
# - second.backward()
# + (net(x)[:, 1] + 1).square().mean().backward()

# %% wrong: no step at all
# - optimizer.step()
# - second.backward()
# - optimizer.step()
# + second.backward()

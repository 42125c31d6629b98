"""Each of two heads has its own loss and its own optimizer, and the trunk learns from both losses. Repair the order of the lines.

Each of the three parts must make its step with the gradient at the weights with which the losses were computed.
"""
# exercise: repair
# covers: autograd.backward.second-time-error
# about: using-autograd/second-backward.md#two-losses-over-one-trunk
# hint: When the second backward runs, the weights of the trunk have already been changed.
# hint: The gradient of a head doesn't depend on when its step is made, as long as `backward` has run before.

# %% start
import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(8, 3)
trunk, one, two = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 4)), nn.Linear(4, 1), nn.Linear(4, 1)
shared = torch.optim.SGD(trunk.parameters(), lr=0.1)
first, second = torch.optim.SGD(one.parameters(), lr=0.1), torch.optim.SGD(two.parameters(), lr=0.1)

features = trunk(x)
first_loss, second_loss = one(features).square().mean(), (two(features) - 1).square().mean()

first_loss.backward(retain_graph=True)
first.step()
shared.step()
second_loss.backward()
second.step()

# %% solution
# - first_loss.backward(retain_graph=True)
# - first.step()
# - shared.step()
# - second_loss.backward()
# - second.step()
# + (first_loss + second_loss).backward()
# + first.step()
# + second.step()
# + shared.step()

# %% right: two passes, then the steps
# - first.step()
# - shared.step()
# - second_loss.backward()
# - second.step()
# + second_loss.backward()
# + first.step()
# + shared.step()
# + second.step()

# %% check
torch.manual_seed(0)
torch.randn(8, 3)
_t, _o, _w = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 4)), nn.Linear(4, 1), nn.Linear(4, 1)
_f = _t(x)
(_o(_f).square().mean() + (_w(_f) - 1).square().mean()).backward()
with torch.no_grad():
    for _p in [*_t.parameters(), *_o.parameters(), *_w.parameters()]:
        _p -= 0.1 * _p.grad


def _same(a, b):
    return all(torch.allclose(p, q, atol=1e-6) for p, q in zip(a.parameters(), b.parameters(), strict=True))


assert _same(one, _o), "The first head didn't make the step that belongs to its loss."
assert _same(two, _w), "The second head didn't make the step for the weights with which `second_loss` was computed at first."
assert _same(trunk, _t), "The heads are right. The trunk needs the gradients of both losses before its one step."

# %% wrong: a second forward pass
# - second_loss.backward()
# + second_loss = (two(trunk(x)) - 1).square().mean()
# + second_loss.backward()

# %% wrong: the second loss cut off from the trunk
# - first_loss, second_loss = one(features).square().mean(), (two(features) - 1).square().mean()
# + first_loss, second_loss = one(features).square().mean(), (two(features.detach()) - 1).square().mean()

# %% wrong: the first head trained twice
# - first_loss.backward(retain_graph=True)
# - first.step()
# - shared.step()
# - second_loss.backward()
# - second.step()
# + (first_loss + second_loss).backward()
# + first.step()
# + first.step()
# + second.step()
# + shared.step()

"""`accumulate` processes ten rows in pieces of at most four, but it takes as much memory as the whole batch. Repair it so that only one piece is in memory at a time, and `.grad` holds the gradient of the mean over all ten rows at the end."""
# exercise: repair
# covers: memory.grad-accum.snippet
# about: memory-and-speed/accumulation.md#what-it-saves
# hint: What the first piece has saved is freed only when `backward` runs, after the last piece.
# hint: The pieces have 4, 4 and 2 rows, so they count 4, 4 and 2 tenths in the mean over ten rows.

# %% start
import torch
from torch import nn


def accumulate(model, pieces):
    """`pieces` is a list of inputs and targets, pair by pair."""
    loss = 0
    for part, target in pieces:
        loss = loss + (model(part) - target).square().mean() / len(pieces)
    loss.backward()


torch.manual_seed(0)
x, y = torch.randn(10, 100), torch.randn(10, 1)
model = nn.Sequential(nn.Linear(100, 50), nn.Tanh(), nn.Linear(50, 1))
accumulate(model, list(zip(x.split(4), y.split(4))))

# %% solution
# -     loss = 0
# -     for part, target in pieces:
# -         loss = loss + (model(part) - target).square().mean() / len(pieces)
# -     loss.backward()
# +     rows = sum(len(part) for part, _ in pieces)
# +     for part, target in pieces:
# +         loss = (model(part) - target).square().mean() * len(part) / rows
# +         loss.backward()

# %% right: sums, and one division
# -     loss = 0
# -     for part, target in pieces:
# -         loss = loss + (model(part) - target).square().mean() / len(pieces)
# -     loss.backward()
# +     rows = sum(len(part) for part, _ in pieces)
# +     for part, target in pieces:
# +         ((model(part) - target).square().sum() / rows).backward()

# %% check
import weakref

torch.manual_seed(1)
_x, _y = torch.randn(10, 100), torch.randn(10, 1)
_model = nn.Sequential(nn.Linear(100, 50), nn.Tanh(), nn.Linear(50, 1))
_pieces, _alive, _most = list(zip(_x.split(4), _y.split(4))), weakref.WeakSet(), []


class _Held:
    def __init__(self, tensor):
        self.tensor = tensor.detach()
        _alive.add(self)


def _gradient(*losses):
    return torch.autograd.grad(sum(losses), _model[0].weight)[0]


_each = [(_model(part) - target).square().mean() for part, target in _pieces]
_sum = _gradient(*_each)
_means = _sum / 3
_want = _gradient((_model(_x) - _y).square().mean())
_model.register_forward_pre_hook(lambda module, args: _most.append(len(_alive)))
with torch.autograd.graph.saved_tensors_hooks(_Held, lambda held: held.tensor):
    accumulate(_model, _pieces)
_got = _model[0].weight.grad
assert len(_most) > 1, "All ten rows go through at once, and they don't fit into memory. Use pieces of at most four rows."
assert not any(_most), f"When the third piece begins, {_most[2]} saved tensors of the first two are still alive. `backward` frees them, so call it for each piece."
assert _got is not None, "There is no gradient."
assert not torch.allclose(_got, _sum, atol=1e-6), "Only one piece is in memory at a time, but the gradient is the sum of three means. It should be one mean over all rows."
assert not torch.allclose(_got, _means, atol=1e-6), "Only one piece is in memory at a time, but each counts for a third. Two rows should count half as much as four."
assert torch.allclose(_got, _want, atol=1e-6), "Only one piece is in memory at a time, but the gradient isn't that of the mean over all ten rows."

# %% wrong: a third of each
# -     loss = 0
# -     for part, target in pieces:
# -         loss = loss + (model(part) - target).square().mean() / len(pieces)
# -     loss.backward()
# +     for part, target in pieces:
# +         ((model(part) - target).square().mean() / len(pieces)).backward()

# %% wrong: no division
# -     loss = 0
# -     for part, target in pieces:
# -         loss = loss + (model(part) - target).square().mean() / len(pieces)
# -     loss.backward()
# +     for part, target in pieces:
# +         (model(part) - target).square().mean().backward()

# %% wrong: all at once
# -     loss = 0
# -     for part, target in pieces:
# -         loss = loss + (model(part) - target).square().mean() / len(pieces)
# -     loss.backward()
# +     part, target = (torch.cat(tensors) for tensors in zip(*pieces))
# +     (model(part) - target).square().mean().backward()

# %% wrong: nothing recorded
# -     loss = 0
# -     for part, target in pieces:
# -         loss = loss + (model(part) - target).square().mean() / len(pieces)
# -     loss.backward()
# +     with torch.no_grad():
# +         for part, target in pieces:
# +             (model(part) - target).square().mean()

# %% wrong: the whole batch's number of rows, for a mean
# -     loss = 0
# -     for part, target in pieces:
# -         loss = loss + (model(part) - target).square().mean() / len(pieces)
# -     loss.backward()
# +     for part, target in pieces:
# +         ((model(part) - target).square().mean() / 10).backward()

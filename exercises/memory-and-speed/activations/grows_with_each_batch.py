"""`follow` computes a running mean of the loss for a progress bar, and memory grows with each batch. Repair it so that no saved tensor of a batch exists when the next batch begins.

The last element that it returns must stay a float. The training needs the gradient of the last loss with respect to `w`.
"""
# exercise: repair
# covers: memory.test-no-grad
# about: memory-and-speed/activations.md#the-list-that-leaks
# hint: Find out which tensors live longer than one round of the loop.
# hint: Print `mean.grad_fn`: after the first batch, `mean` is a tensor with a graph.

# %% start
import torch


def follow(w, batches):
    """The running mean of the losses as a tensor or a number, its last value as a float, and the last loss."""
    mean = 0.0
    for x in batches:
        loss = torch.tanh(x * w).mean()
        mean = 0.9 * mean + 0.1 * loss
    return mean, float(mean), loss


w = torch.tensor(0.5, requires_grad=True)
mean, last, loss = follow(w, [torch.full((4,), float(i)) for i in range(5)])
print(last)

# %% solution
# -         mean = 0.9 * mean + 0.1 * loss
# +         mean = 0.9 * mean + 0.1 * loss.item()

# %% right: detached
# -         mean = 0.9 * mean + 0.1 * loss
# +         mean = 0.9 * mean + 0.1 * loss.detach()

# %% check
import weakref

_alive, _w = weakref.WeakSet(), torch.tensor(0.5, requires_grad=True)


class _Held:
    def __init__(self, tensor):
        self.tensor = tensor.detach()
        _alive.add(self)


_most = []


def _batches():
    for i in range(8):
        _most.append(len(_alive))
        yield torch.full((4,), 1.0 + i / 4)


with torch.autograd.graph.saved_tensors_hooks(_Held, lambda held: held.tensor):
    _mean, _last, _loss = follow(_w, _batches())
_want = 0.0
for _i in range(8):
    _want = 0.9 * _want + 0.1 * float(torch.tanh(torch.tensor((1.0 + _i / 4) * 0.5)))
assert _loss.requires_grad, "The last loss has no graph any more, so the training can't continue with it."
assert isinstance(_last, float) and abs(_last - _want) < 1e-4, f"The running mean of these losses is {_want:.4f}, but yours is {_last:.4f}."
assert not (torch.is_tensor(_mean) and _mean.requires_grad), "`mean` has a graph, which contains each loss that was added to it, with its saved tensors."
assert _most[-1] <= _most[1], f"After the loop the memory is free, but when the eighth batch begins, {_most[-1]} saved tensors are alive; when the second began, {_most[1]}."

# %% wrong: under no_grad
# -         loss = torch.tanh(x * w).mean()
# -         mean = 0.9 * mean + 0.1 * loss
# +         with torch.no_grad():
# +             loss = torch.tanh(x * w).mean()
# +         mean = 0.9 * mean + 0.1 * loss

# %% wrong: detached at the end
# -     return mean, float(mean), loss
# +     return mean.detach(), float(mean), loss

# %% wrong: the sum
# -         mean = 0.9 * mean + 0.1 * loss
# +         mean = mean + loss.item()

"""A running state should follow the signal, one update per step. The loop stops in its second round. Repair it so that it runs all 60 steps, and each step learns only from its own error."""
# exercise: repair
# covers: autograd.backward.read-message
# about: using-autograd/second-backward.md#when-the-advice-is-wrong
# hint: The second round uses one tensor of the first: `state`.
# hint: `state` was computed in the round before, from the `w` of that round, and its graph has been freed.

# %% start
import torch

torch.manual_seed(0)
signal = torch.sin(torch.arange(60) / 5)
w = torch.tensor([0.1, 0.1], requires_grad=True)
state = torch.tensor(0.0)
losses = []
for value in signal:
    state = w[0] * state + w[1] * value
    loss = (state - value) ** 2
    w.grad = None
    loss.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
    losses.append(loss.item())
print(losses[-1])

# %% solution
# -     state = w[0] * state + w[1] * value
# +     state = w[0] * state.detach() + w[1] * value

# %% right: cut at the end of the round
# -     losses.append(loss.item())
# +     losses.append(loss.item())
# +     state = state.detach()

# %% check
assert len(losses) == 60, f"{len(losses)} of 60 steps have run."
_w, _state = torch.tensor([0.1, 0.1], requires_grad=True), torch.tensor(0.0)
for _value in signal:
    _state = _w[0] * _state.detach() + _w[1] * _value
    (_g,) = torch.autograd.grad((_state - _value) ** 2, _w)
    with torch.no_grad():
        _w -= 0.1 * _g
assert not torch.equal(w.detach(), torch.tensor([0.1, 0.1])), "The loop runs to its end, but `w` hasn't changed."
assert w.grad is None or w.grad[0] != 0, "`w[0]` never gets a gradient. Detach the old state, but let autograd record its product with `w[0]`."
assert torch.allclose(w, _w, atol=1e-4), f"`w` ends at {w.tolist()}. If each step uses its own gradient, it ends at {_w.tolist()}."

# %% wrong: stop before it fails
# - for value in signal:
# + for value in signal[:1]:

# %% wrong: no update
# -     state = w[0] * state + w[1] * value
# +     state = w[0] * state.detach() + w[1] * value

# -         w -= 0.1 * w.grad
# +         w.grad -= 0.1 * w.grad

# %% wrong: the gradient cut as well
# -     state = w[0] * state + w[1] * value
# +     state = (w[0] * state).detach() + w[1] * value

# %% wrong: once, after the loop
# -     w.grad = None
# -     loss.backward()
# -     with torch.no_grad():
# -         w -= 0.1 * w.grad
# -     losses.append(loss.item())
# +     losses.append(loss)
# + sum(losses).backward()
# + with torch.no_grad():
# +     w -= 0.1 * w.grad

# %% wrong: as the message advises
# error: RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: ...
# hint: The second backward pass still goes into the first round, where `w` has changed since. Cut the graph between the rounds.
# -     loss.backward()
# +     loss.backward(retain_graph=True)

"""The program computes each state from the previous state and writes it into the next row of `states`. It never writes into a row that it has read, but `backward` raises an error.

Repair the program. `w.grad` must be the gradient of this loss through all steps.
"""
# exercise: repair
# about: in-place/views.md#shared-memory-shared-version
# hint: `states[t]` is a view. All rows of `states` share one version counter.
# hint: The node of `states[t] * w` saves `states[t]`, and later iterations write to other rows of `states` before `backward` runs.

# %% start
import torch

w = torch.tensor([0.5, -2.0], requires_grad=True)
signal = torch.tensor([1.0, 0.0, 2.0])

states = torch.zeros(4, 2)
for t in range(3):
    states[t + 1] = torch.tanh(states[t] * w + signal[t])
loss = ((states - 0.25) ** 2).sum()
loss.backward()
print(w.grad)

# %% solution
# - states = torch.zeros(4, 2)
# + rows = [torch.zeros(2)]
#   for t in range(3):
# -     states[t + 1] = torch.tanh(states[t] * w + signal[t])
# - loss = ((states - 0.25) ** 2).sum()
# +     rows.append(torch.tanh(rows[t] * w + signal[t]))
# + states = torch.stack(rows)
# + loss = ((states - 0.25) ** 2).sum()

# %% right: a copy of the row that is read
# -     states[t + 1] = torch.tanh(states[t] * w + signal[t])
# +     states[t + 1] = torch.tanh(states[t].clone() * w + signal[t])

# %% check
_w = torch.tensor([0.5, -2.0], requires_grad=True)
_state, _loss = torch.zeros(2), torch.tensor(2 * 0.25**2)
for _t in range(3):
    _state = torch.tanh(_state * _w + signal[_t])
    _loss = _loss + ((_state - 0.25) ** 2).sum()
_loss.backward()
assert abs(loss.item() - _loss.item()) < 1e-4, "The value of the loss has changed. It should be the sum of the squared distances of all states from 0.25."
assert w.grad is not None and torch.allclose(w.grad, _w.grad, atol=1e-4), "There is no error, but the gradient is wrong. Each state also depends on `w` through all earlier states."

# %% wrong: the row without its graph
# -     states[t + 1] = torch.tanh(states[t] * w + signal[t])
# +     states[t + 1] = torch.tanh(states[t].detach().clone() * w + signal[t])

# %% wrong: the last state only
# - states = torch.zeros(4, 2)
# + state = torch.zeros(2)
#   for t in range(3):
# -     states[t + 1] = torch.tanh(states[t] * w + signal[t])
# - loss = ((states - 0.25) ** 2).sum()
# +     state = torch.tanh(state * w + signal[t])
# + loss = ((state - 0.25) ** 2).sum()

# %% wrong: written without recording
# error: RuntimeError: element 0 of tensors does not require grad ...
# hint: Inside `no_grad`, autograd doesn't record how the rows were computed, so `backward` has no graph to follow.

# -     states[t + 1] = torch.tanh(states[t] * w + signal[t])
# +     with torch.no_grad():
# +         states[t + 1] = torch.tanh(states[t] * w + signal[t])

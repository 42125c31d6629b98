"""This program should keep the state with the lowest validation loss of thirty epochs, but `best` turns out to be the *last* state. Repair it."""
# exercise: repair
# covers: save.checkpoint
# about: training/saving.md#a-state-dict-is-live
# hint: Compare `best["weight"]` with `model.weight` when the loop has ended.
# hint: `state_dict()` copies nothing. Its tensors share their memory with the model, and every further step changes them.

# %% start
import copy

import torch
from torch import nn

torch.manual_seed(0)
x, validation_x = torch.randn(6, 8), torch.randn(200, 8)
true_weights = torch.tensor([[1.0, -1.0, 0, 0, 0, 0, 0, 0]]).T
y, validation_y = x @ true_weights + torch.randn(6, 1), validation_x @ true_weights
model = nn.Linear(8, 1, bias=False)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

least, best = float("inf"), None
losses = []
for epoch in range(30):
    optimizer.zero_grad()
    nn.functional.mse_loss(model(x), y).backward()
    optimizer.step()
    with torch.no_grad():
        loss = nn.functional.mse_loss(model(validation_x), validation_y).item()
    losses.append(loss)
    if loss < least:
        least, best = loss, model.state_dict()

model.load_state_dict(best)
with torch.no_grad():
    print(least, nn.functional.mse_loss(model(validation_x), validation_y).item())

# %% solution
# -         least, best = loss, model.state_dict()
# +         least, best = loss, copy.deepcopy(model.state_dict())

# %% right: a clone of each tensor
# -         least, best = loss, model.state_dict()
# +         least, best = loss, {name: value.clone() for name, value in model.state_dict().items()}

# %% check
with torch.no_grad():
    _loss = nn.functional.mse_loss(model(validation_x), validation_y).item()
assert len(losses) == 30, "Let the training run for all thirty epochs. Only then do you know which state was the best."
_shared = any(_value.data_ptr() == _p.data_ptr() for _value in best.values() for _p in model.parameters())
assert not _shared, f"The loaded state has loss {_loss:.3f}, but the best was {least:.3f}. `best` shares its memory with the model."
assert abs(_loss - least) < 1e-6, f"The loaded state has loss {_loss:.3f}, but the best was {least:.3f}. `best` has its own memory now, but it was copied too late, after further steps had changed it."

# %% wrong: copied at the end
# - model.load_state_dict(best)
# + best = copy.deepcopy(best)
# + model.load_state_dict(best)

# %% wrong: stop when it rises
#       if loss < least:
#           least, best = loss, model.state_dict()
# +     else:
# +         break

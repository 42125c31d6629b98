"""The loss on the training batches goes to zero, but the model has learned almost nothing. Repair the way in which the loop gets its batches, so that an epoch goes through all the data."""
# exercise: repair
# covers: data.dataset-dataloader
# about: training/datasets.md#a-loader-is-no-iterator
# hint: Print `x[0]` in each step.
# hint: Each call of `iter` starts a new pass through the data.

# %% start
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x_all = torch.randn(64, 6)
y_all = x_all @ torch.tensor([[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]])
loader = DataLoader(TensorDataset(x_all, y_all), batch_size=4)

model = nn.Linear(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
seen = []
for step in range(320):
    x, y = next(iter(loader))
    seen.append(x)
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(x), y)
    loss.backward()
    optimizer.step()

with torch.no_grad():
    print(loss.item(), nn.functional.mse_loss(model(x_all), y_all).item())

# %% solution
# - for step in range(320):
# -     x, y = next(iter(loader))
# -     seen.append(x)
# -     optimizer.zero_grad()
# -     loss = nn.functional.mse_loss(model(x), y)
# -     loss.backward()
# -     optimizer.step()
# + for epoch in range(20):
# +     for x, y in loader:
# +         seen.append(x)
# +         optimizer.zero_grad()
# +         loss = nn.functional.mse_loss(model(x), y)
# +         loss.backward()
# +         optimizer.step()

# %% right: one iterator, made anew at its end
# - for step in range(320):
# -     x, y = next(iter(loader))
# + batches = iter(loader)
# + for step in range(320):
# +     if step % len(loader) == 0:
# +         batches = iter(loader)
# +     x, y = next(batches)

# %% check
_rows = torch.cat(seen[:16])
_known = len({tuple(_row.tolist()) for _row in torch.cat(seen)})
assert _known > 4, "In all its steps, the model has seen only 4 samples, because it gets the first batch again and again."
assert _known == 64 and len({tuple(_row.tolist()) for _row in _rows}) == 64, f"The first 16 batches hold {len({tuple(_row.tolist()) for _row in _rows})} different samples of 64. In an epoch, each sample should come once."
assert len(seen) == 320, f"There were {len(seen)} steps, but twenty epochs have 320. Keep the number of steps."

# %% wrong: shuffled, and begun anew each time
# - loader = DataLoader(TensorDataset(x_all, y_all), batch_size=4)
# + loader = DataLoader(TensorDataset(x_all, y_all), batch_size=4, shuffle=True)

# %% wrong: a single pass
# - for step in range(320):
# -     x, y = next(iter(loader))
# + for x, y in loader:

# %% wrong: one iterator for all
# error: StopIteration
# hint: An iterator is used up after one pass, so the next epoch needs a new one.
# - for step in range(320):
# -     x, y = next(iter(loader))
# + batches = iter(loader)
# + for step in range(320):
# +     x, y = next(batches)

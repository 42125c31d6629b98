"""The first step fits into memory, but the second one lacks 20 kilobytes in its forward pass. Find 22240 bytes that aren't needed at that moment, and free them before the pass.

The network must learn exactly what it learns now.
"""
# exercise: repair
# covers: memory.four-costs
# about: memory-and-speed/memory-of-a-step.md#three-of-them
# hint: `beside` shows the gradients that are held when each forward pass begins. They belong to the step before, which has already used them.
# hint: The gradients are needed only from `backward` to `step`.

# %% start
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(100, 50), nn.ReLU(), nn.Linear(50, 10))
optimizer = torch.optim.Adam(model.parameters())
x = torch.randn(64, 100)

beside = []  # bytes of gradients that are held when a forward pass begins
model.register_forward_pre_hook(
    lambda module, args: beside.append(sum(4 * p.grad.numel() for p in module.parameters() if p.grad is not None))
)
for step in range(3):
    loss = model(x).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(beside)

# %% solution
# -     loss = model(x).square().mean()
# -     optimizer.zero_grad()
# +     optimizer.zero_grad()
# +     loss = model(x).square().mean()

# %% right: after the step
# -     optimizer.zero_grad()
#       loss.backward()
#       optimizer.step()
# +     optimizer.zero_grad()

# %% check
torch.manual_seed(0)
_model = nn.Sequential(nn.Linear(100, 50), nn.ReLU(), nn.Linear(50, 10))
_optimizer, _first = torch.optim.Adam(_model.parameters()), _model[0].weight.detach().clone()
_x = torch.randn(64, 100)
for _ in range(3):
    _optimizer.zero_grad()
    _model(_x).square().mean().backward()
    _optimizer.step()
assert len(beside) == 3, f"Three steps take three forward passes. There were {len(beside)}."
assert not torch.equal(model[0].weight, _first), "The memory is free, but the network learns nothing, because the gradients are gone before `step` reads them."
_zeros = all(p.grad is not None and not p.grad.any() for p in model.parameters())
assert not (_zeros and any(beside)), "`.grad` holds zeros now. A zero takes four bytes, like any other number."
assert not any(beside), f"When the second forward pass begins, {beside[1]} bytes of gradients are still in memory, although they have been used."
assert torch.allclose(model[0].weight, _model[0].weight), "The memory is free, but the network learns something else than before."

# %% wrong: cleared too early
# -     optimizer.zero_grad()
#       loss.backward()
# -     optimizer.step()
# +     optimizer.zero_grad()
# +     optimizer.step()

# %% wrong: zeros
# -     optimizer.zero_grad()
#       loss.backward()
#       optimizer.step()
# +     optimizer.zero_grad(set_to_none=False)

# %% wrong: half the batch
# -     loss = model(x).square().mean()
# -     optimizer.zero_grad()
# +     optimizer.zero_grad()
# +     loss = model(x[:32]).square().mean()

# %% wrong: one step only
# - for step in range(3):
# + for step in range(1):

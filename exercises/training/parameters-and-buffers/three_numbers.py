"""Write `count`, which returns how many numbers of a model are trainable, how many are frozen, and how many are in buffers. Count each number once, even if it has several names."""
# exercise: write
# covers: module.param-count.function
# about: training/parameters-and-buffers.md#what-the-filter-leaves-out
# hint: `parameters()` and `buffers()` yield each tensor once.
# hint: `requires_grad` tells a frozen parameter from a trainable one.

# %% start
import torch
from torch import nn


def count(model):
    """(trainable, frozen, buffers): three whole numbers."""
    return sum(p.numel() for p in model.parameters()), 0, 0


net = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Linear(8, 2))
net[0].requires_grad_(False)
print(count(net))

# %% solution
# -     return sum(p.numel() for p in model.parameters()), 0, 0
# +     trainable = sum(p.numel() for p in model.parameters() if p.requires_grad)
# +     frozen = sum(p.numel() for p in model.parameters() if not p.requires_grad)
# +     return trainable, frozen, sum(b.numel() for b in model.buffers())

# %% check
_net = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Linear(8, 2))
_net[0].requires_grad_(False)
_one, _two, _three = count(_net)
assert _one == 34, f"34 numbers can be trained, but your count is {_one}. The first layer is frozen."
assert _two == 40, f"The frozen layer has 40 numbers, but your count is {_two}."
_tied = nn.Sequential(nn.Linear(3, 3), nn.Linear(3, 3), nn.BatchNorm1d(3))
_tied[1].weight = _tied[0].weight
assert count(_tied)[0] == 21, f"Two layers share their nine weights, so 21 numbers are trained, but your count is {count(_tied)[0]}."
assert _three == 17, f"The buffers of batch norm hold 17 numbers, but your count is {_three}. Its batch counter is one of them."
_plain = nn.Linear(2, 2)
_plain.register_buffer("table", torch.zeros(5), persistent=False)
assert count(_plain)[2] == 5, "Your count lacks a buffer that isn't saved. It is still a buffer of the model."

# %% wrong: by the state dict
# -     return sum(p.numel() for p in model.parameters()), 0, 0
# +     named = dict(model.named_parameters(remove_duplicate=False))
# +     trainable = sum(p.numel() for p in named.values() if p.requires_grad)
# +     frozen = sum(p.numel() for p in named.values() if not p.requires_grad)
# +     return trainable, frozen, sum(b.numel() for b in model.buffers())

# %% wrong: only what is saved
# -     return sum(p.numel() for p in model.parameters()), 0, 0
# +     trainable = sum(p.numel() for p in model.parameters() if p.requires_grad)
# +     frozen = sum(p.numel() for p in model.parameters() if not p.requires_grad)
# +     known = dict(model.named_parameters(remove_duplicate=False))
# +     return trainable, frozen, sum(t.numel() for name, t in model.state_dict().items() if name not in known)

# %% wrong: no buffers
# -     return sum(p.numel() for p in model.parameters()), 0, 0
# +     trainable = sum(p.numel() for p in model.parameters() if p.requires_grad)
# +     return trainable, sum(p.numel() for p in model.parameters()) - trainable, 0

# %% wrong: the frozen ones among the buffers
# -     return sum(p.numel() for p in model.parameters()), 0, 0
# +     trainable = sum(p.numel() for p in model.parameters() if p.requires_grad)
# +     everything = sum(p.numel() for p in model.parameters())
# +     return trainable, 0, everything - trainable

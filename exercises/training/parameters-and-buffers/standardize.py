"""This layer subtracts a mean and divides by a deviation, both measured on the training data. Make them part of the network's state, so that they are saved and moved with the network but not trained.

In the state dict of the layer, the two must be called `mean` and `std`.
"""
# exercise: repair
# covers: module.state-params-buffers
# about: training/parameters-and-buffers.md#the-state
# hint: Print `net.state_dict().keys()` and the number of `net.parameters()`.
# hint: A buffer is a tensor that a module registers but does not train.

# %% start
import torch
from torch import nn


class Standardize(nn.Module):
    def __init__(self, data):
        super().__init__()
        self.mean = data.mean(dim=0)
        self.std = data.std(dim=0)

    def forward(self, x):
        return (x - self.mean) / self.std


torch.manual_seed(0)
data = 5 + 2 * torch.randn(100, 3)
net = nn.Sequential(Standardize(data), nn.Linear(3, 1))
print(list(net.state_dict()))

# %% solution
# -         self.mean = data.mean(dim=0)
# -         self.std = data.std(dim=0)
# +         self.register_buffer("mean", data.mean(dim=0))
# +         self.register_buffer("std", data.std(dim=0))

# %% right: with nn.Buffer
# -         self.mean = data.mean(dim=0)
# -         self.std = data.std(dim=0)
# +         self.mean = nn.Buffer(data.mean(dim=0))
# +         self.std = nn.Buffer(data.std(dim=0))

# %% check
_names = [_name for _name, _ in net.named_parameters()]
assert not any("mean" in _name or "std" in _name for _name in _names), f"The optimizer gets {_names}. Mean and deviation were measured, so they must not be parameters."
_saved = list(net.state_dict())
_kept = "mean" in dict(net[0].named_buffers()) and "std" in dict(net[0].named_buffers())
assert _kept or "0.mean" in _saved, "Mean and deviation aren't in the state dict, so they would not be saved."
assert "0.mean" in _saved and "0.std" in _saved, "They move with the network now, but they still aren't in its state dict. The argument `persistent` decides that."
_fresh = nn.Sequential(Standardize(torch.randn(10, 3)), nn.Linear(3, 1))
_fresh.load_state_dict(net.state_dict())
_x = torch.randn(4, 3)
assert torch.allclose(_fresh(_x), net(_x), atol=1e-6), "A new network with this state computes something else. `forward` must use the tensors that were loaded."

# %% wrong: parameters
# -         self.mean = data.mean(dim=0)
# -         self.std = data.std(dim=0)
# +         self.mean = nn.Parameter(data.mean(dim=0), requires_grad=False)
# +         self.std = nn.Parameter(data.std(dim=0), requires_grad=False)

# %% wrong: not persistent
# -         self.mean = data.mean(dim=0)
# -         self.std = data.std(dim=0)
# +         self.register_buffer("mean", data.mean(dim=0), persistent=False)
# +         self.register_buffer("std", data.std(dim=0), persistent=False)

# %% wrong: two copies
# -         self.mean = data.mean(dim=0)
# -         self.std = data.std(dim=0)
# +         self.register_buffer("mean", data.mean(dim=0))
# +         self.register_buffer("std", data.std(dim=0))
# +         self.numbers = self.mean.clone(), self.std.clone()
#
#       def forward(self, x):
# -         return (x - self.mean) / self.std
# +         return (x - self.numbers[0]) / self.numbers[1]

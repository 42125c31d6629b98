"""Write dropout as a module. In training mode, set each number to 0 with probability `p`, and scale the others so that the mean stays the same. In evaluation mode, return the input unchanged."""
# exercise: write
# covers: tricks.model-train
# about: training/train-and-eval.md#dropout
# hint: Each element of `torch.rand_like(x) < p` is `True` with probability `p`.
# hint: A module knows its mode by the attribute `training`.

# %% start
import torch
from torch import nn


class Dropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.p = p

    def forward(self, x):
        return x


torch.manual_seed(0)
layer = Dropout(0.25)
print(layer(torch.ones(8)))
print(layer.eval()(torch.ones(8)))

# %% solution
# -         return x
# +         if not self.training:
# +             return x
# +         keep = torch.rand_like(x) >= self.p
# +         return x * keep / (1 - self.p)

# %% right: a Bernoulli mask
# -         return x
# +         if self.training:
# +             x = x * torch.bernoulli(torch.full_like(x, 1 - self.p)) / (1 - self.p)
# +         return x

# %% check
torch.manual_seed(1)
_layer, _x = Dropout(0.25), torch.full((100, 100), 3.0)
_out = _layer(_x)
assert (_x == 3).all(), "The input has changed, but it may still be needed. Create a new tensor."
_zeros = (_out == 0).float().mean().item()
assert _zeros > 0, "In training mode no number becomes 0."
assert 0.2 < _zeros < 0.3, f"With p = 0.25, a quarter of the numbers should become 0, but here it is {_zeros:.2f} of all. `p` is the probability of becoming 0."
assert (_out[0] == 0).any() and (_out[0] != 0).any(), "Whole rows become 0 or stay. Decide for each number separately."
assert 2.85 < _out.mean() < 3.15, f"The mean was 3 and is {_out.mean():.2f}. Divide the numbers that stay by the probability of staying."
assert torch.equal(_layer.eval()(_x), _x), "In evaluation mode, return the input unchanged. The attribute `training` tells the mode."

# %% wrong: no scale
# -         return x
# +         return x * (torch.rand_like(x) >= self.p) if self.training else x

# %% wrong: the other way round
# -         return x
# +         return x * (torch.rand_like(x) < self.p) / self.p if self.training else x

# %% wrong: always
# -         return x
# +         return x * (torch.rand_like(x) >= self.p) / (1 - self.p)

# %% wrong: whole rows
# -         return x
# +         return x * (torch.rand(len(x), 1) >= self.p) / (1 - self.p) if self.training else x

# %% wrong: in place
# -         return x
# +         return x.mul_(torch.rand_like(x) >= self.p).div_(1 - self.p) if self.training else x

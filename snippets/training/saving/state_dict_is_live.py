"""A state dict is not a copy, so further training changes it."""
# covers: save.checkpoint

import copy

import torch
from torch import nn

model = nn.Linear(1, 1, bias=False)
nn.init.ones_(model.weight)
best = model.state_dict()
kept = copy.deepcopy(best)

with torch.no_grad():
    model.weight.mul_(2)
print(dict(best), dict(kept))
#> {'weight': tensor([[2.]])} {'weight': tensor([[1.]])}
print(best["weight"].requires_grad, best["weight"].data_ptr() == model.weight.data_ptr())
#> False True

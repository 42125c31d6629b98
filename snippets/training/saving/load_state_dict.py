"""`load_state_dict` compares names and shapes, and copies into the parameters that are there."""
# covers: save.load

import torch
from torch import nn

model = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 1))
state = model.state_dict()

other = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 1))
weight = other[0].weight
print(other.load_state_dict(state))
#> <All keys matched successfully>
print(other[0].weight is weight, weight.equal(model[0].weight), weight.data_ptr() == model[0].weight.data_ptr())
#> True True False

smaller = nn.Sequential(nn.Linear(2, 2))
smaller.load_state_dict(state)
#! RuntimeError: Error(s) in loading state_dict for Sequential: ...
print(smaller.load_state_dict(state, strict=False))
#> _IncompatibleKeys(missing_keys=[], unexpected_keys=['1.weight', '1.bias'])

wider = nn.Sequential(nn.Linear(2, 3), nn.Linear(3, 1))
wider.load_state_dict(state, strict=False)
#! RuntimeError: Error(s) in loading state_dict for Sequential: ...

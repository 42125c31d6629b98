"""`load_state_dict` compares the names, and copies the numbers into the existing parameters."""
# covers: save.load

from torch import nn

model = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 1))
other = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 1))
weight = other[0].weight
print(other.load_state_dict(model.state_dict()))
#> <All keys matched successfully>
print(other[0].weight is weight, weight.equal(model[0].weight), weight.data_ptr() == model[0].weight.data_ptr())
#> True True False

"""The mode is not in the file: a new model is in `train`."""
# covers: save.load

import torch
from torch import nn

model = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2), nn.Dropout()).eval()
for name in model.state_dict():
    print(name)
#> 0.weight
#> 0.bias
#> 1.weight
#> 1.bias
#> 1.running_mean
#> 1.running_var
#> 1.num_batches_tracked

fresh = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2), nn.Dropout())
print(fresh.load_state_dict(model.state_dict()))
#> <All keys matched successfully>
print(model.training, fresh.training)
#> False True

x = torch.ones(1, 2)
try:
    fresh(x)
except ValueError as error:
    print(error)
#> Expected more than 1 value per channel when training, got input size torch.Size([1, 2])
print(fresh.eval()(x).equal(model(x)))
#> True

"""Many functions accept `axis=` for `dim=`, but not all."""
# covers: tensor-ops.table.moveaxis

import torch

t = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
print(torch.sum(t, dim=0), torch.sum(t, axis=0))
#> tensor([4., 6.]) tensor([4., 6.])
print(torch.cat((t, t), axis=1).shape)
#> torch.Size([2, 4])

try:
    torch.split(t, 1, axis=0)
except TypeError as error:
    print(error)
#> split() got an unexpected keyword argument 'axis'
try:
    torch.nn.functional.softmax(t, axis=0)
except TypeError as error:
    print(error)
#> softmax() got an unexpected keyword argument 'axis'

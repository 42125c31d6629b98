"""Of two writes to one position, `scatter_` keeps one and `scatter_add_` the sum."""
# covers: tensor-ops.table.scatter_add

import torch

index = torch.tensor([0, 0, 2])
src = torch.tensor([1.0, 10.0, 100.0])
one = torch.zeros(3).scatter_(0, index, src)
print(one[0] in (1.0, 10.0), one[1:])
#> True tensor([  0., 100.])
print(torch.zeros(3).scatter_add_(0, index, src))
#> tensor([ 11.,   0., 100.])
print(torch.bincount(index, weights=src))
#> tensor([ 11.,   0., 100.])

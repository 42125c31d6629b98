"""A slice is a view, and selecting by a list makes a copy."""
# covers: tensor-ops.indexing

import torch

t = torch.arange(6)
t[1:3].fill_(100)
print(t)
#> tensor([  0, 100, 100,   3,   4,   5])
t[[0, 5]].fill_(-1)
print(t)
#> tensor([  0, 100, 100,   3,   4,   5])
t[[0, 5]] = -1
print(t)
#> tensor([ -1, 100, 100,   3,   4,  -1])

"""`scatter_` changes its tensor, and `scatter` returns a new one."""
# covers: tensor-ops.table.scatter

import torch

t = torch.zeros(3)
index = torch.tensor([0, 2])
print(t.scatter(0, index, torch.tensor([5.0, 6.0])))
#> tensor([5., 0., 6.])
print(t)
#> tensor([0., 0., 0.])
t.scatter_(0, index, torch.tensor([5.0, 6.0]))
print(t)
#> tensor([5., 0., 6.])

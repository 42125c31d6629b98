"""The parts are views, so writing to a part changes the whole tensor."""

import torch

t = torch.arange(6)
first, second = t.chunk(2)
first[0] = 100
print(t)
#> tensor([100,   1,   2,   3,   4,   5])
row = torch.unbind(t.view(2, 3))[1]
row.zero_()
print(t)
#> tensor([100,   1,   2,   0,   0,   0])

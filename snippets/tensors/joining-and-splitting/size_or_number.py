"""The same number is a size for `split` and a count for `chunk`."""
# covers: tensor-ops.table.split

import torch

t = torch.arange(6)
print(t.split(2))
#> (tensor([0, 1]), tensor([2, 3]), tensor([4, 5]))
print(t.chunk(2))
#> (tensor([0, 1, 2]), tensor([3, 4, 5]))

"""`chunk` cuts an axis into a number of parts, of which the last may be shorter."""
# covers: tensor-ops.table.chunk

import torch

print(torch.arange(6).chunk(3))
#> (tensor([0, 1]), tensor([2, 3]), tensor([4, 5]))
print(torch.arange(7).chunk(3))
#> (tensor([0, 1, 2]), tensor([3, 4, 5]), tensor([6]))

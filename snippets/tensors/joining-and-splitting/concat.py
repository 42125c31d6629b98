"""`concat` and `concatenate` are other names of `cat`."""
# covers: tensor-ops.table.concat

import torch

a = torch.tensor([1, 2])
b = torch.tensor([3, 4, 5])
print(torch.concat((a, b)))
#> tensor([1, 2, 3, 4, 5])
print(torch.concatenate((a, b)))
#> tensor([1, 2, 3, 4, 5])

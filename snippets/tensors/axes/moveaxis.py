"""`moveaxis` is NumPy's name of `movedim`."""
# covers: tensor-ops.table.moveaxis

import torch

t = torch.zeros(4, 6, 3)
print(torch.moveaxis(t, 2, 0).shape)
#> torch.Size([3, 4, 6])
print(torch.movedim(t, (0, 1), (1, 2)).shape)
#> torch.Size([3, 4, 6])

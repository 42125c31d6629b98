"""`swapaxes` is NumPy's name of `transpose`."""
# covers: tensor-ops.table.swapaxes

import torch

t = torch.arange(6).view(1, 2, 3)
print(torch.swapaxes(t, 0, 2).shape)
#> torch.Size([3, 2, 1])
print(torch.equal(torch.swapaxes(t, 0, 2), torch.transpose(t, 0, 2)))
#> True

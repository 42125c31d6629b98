"""`swapdims` is another name of `transpose`."""
# covers: tensor-ops.table.swapdims

import torch

t = torch.arange(6).view(1, 2, 3)
print(torch.swapdims(t, 0, 1).shape)
#> torch.Size([2, 1, 3])
print(torch.equal(torch.swapdims(t, 0, 1), torch.transpose(t, 0, 1)))
#> True

"""`unsqueeze` adds an axis of size 1."""
# covers: tensor-ops.table.unsqueeze

import torch

t = torch.tensor([1, 2, 3])
print(t.unsqueeze(0))
#> tensor([[1, 2, 3]])
print(t.unsqueeze(1))
#> tensor([[1],
#>         [2],
#>         [3]])
print(t.unsqueeze(-1).shape, t[:, None].shape)
#> torch.Size([3, 1]) torch.Size([3, 1])

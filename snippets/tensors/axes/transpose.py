"""`transpose` swaps two axes."""
# covers: tensor-ops.table.transpose

import torch

t = torch.tensor([[1, 2, 3], [4, 5, 6]])
print(t.transpose(0, 1))
#> tensor([[1, 4],
#>         [2, 5],
#>         [3, 6]])
print(torch.zeros(2, 3, 4).transpose(1, 2).shape)
#> torch.Size([2, 4, 3])

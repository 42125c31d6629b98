"""`hsplit` has no argument `dim`, and `tensor_split` has one."""
# covers: tensor-ops.table.hsplit

import torch

t = torch.arange(16).view(4, 4)
print([tuple(part.shape) for part in torch.hsplit(t, [2, 3])])
#> [(4, 2), (4, 1), (4, 1)]
print([tuple(part.shape) for part in torch.tensor_split(t, [2, 3], dim=0)])
#> [(2, 4), (1, 4), (1, 4)]
torch.hsplit(t, [2, 3], dim=0)
#! TypeError: hsplit() received an invalid combination of arguments - got (Tensor, list, dim=int), ...

"""`masked_select` returns the selected elements as a vector."""
# covers: tensor-ops.table.masked_select

import torch

t = torch.tensor([[1, 2, 3], [4, 5, 6]])
mask = t % 2 == 0
print(mask)
#> tensor([[False,  True, False],
#>         [ True, False,  True]])
print(torch.masked_select(t, mask))
#> tensor([2, 4, 6])
print(t[mask])
#> tensor([2, 4, 6])
print(torch.masked_select(t, torch.tensor([True, False, False])))
#> tensor([1, 4])

"""`unbind` removes an axis and returns its slices as a tuple."""
# covers: tensor-ops.table.unbind

import torch

print(torch.unbind(torch.tensor([[1], [2], [3]])))
#> (tensor([1]), tensor([2]), tensor([3]))
print(torch.unbind(torch.tensor([[1, 2, 3], [4, 5, 6]]), dim=1))
#> (tensor([1, 4]), tensor([2, 5]), tensor([3, 6]))

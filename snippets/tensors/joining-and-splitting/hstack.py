"""`hstack` joins vectors end to end, and matrices side by side."""
# covers: tensor-ops.table.hstack

import torch

print(torch.hstack((torch.tensor([1, 2]), torch.tensor([3, 4]))))
#> tensor([1, 2, 3, 4])
print(torch.hstack((torch.tensor([[1], [2]]), torch.tensor([[3], [4]]))))
#> tensor([[1, 3],
#>         [2, 4]])

"""`vstack` puts matrices one under the other, and a vector becomes a row."""
# covers: tensor-ops.table.vstack

import torch

print(torch.vstack((torch.tensor([1, 2]), torch.tensor([3, 4]))))
#> tensor([[1, 2],
#>         [3, 4]])
print(torch.vstack((torch.tensor([[1], [2]]), torch.tensor([[3], [4]]))))
#> tensor([[1],
#>         [2],
#>         [3],
#>         [4]])

"""`row_stack` is another name of `vstack`."""
# covers: tensor-ops.table.row_stack

import torch

print(torch.row_stack((torch.tensor([1, 2]), torch.tensor([3, 4]))))
#> tensor([[1, 2],
#>         [3, 4]])

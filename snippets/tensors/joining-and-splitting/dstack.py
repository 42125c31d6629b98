"""`dstack` joins along the third axis, and adds it to matrices."""
# covers: tensor-ops.table.dstack

import torch

a = torch.tensor([[1, 2], [3, 4]])
b = torch.tensor([[5, 6], [7, 8]])
print(torch.dstack((a, b)))
#> tensor([[[1, 5],
#>          [2, 6]],
#>
#>         [[3, 7],
#>          [4, 8]]])
print(torch.dstack((a, b)).shape, torch.dstack((a[0], b[0])).shape)
#> torch.Size([2, 2, 2]) torch.Size([1, 2, 2])

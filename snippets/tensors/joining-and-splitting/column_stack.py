"""`column_stack` makes each vector a column."""
# covers: tensor-ops.table.column_stack

import torch

a = torch.tensor([1, 2])
b = torch.tensor([3, 4])
print(torch.column_stack((a, b)))
#> tensor([[1, 3],
#>         [2, 4]])
print(torch.hstack((a, b)))
#> tensor([1, 2, 3, 4])

m = torch.tensor([[1], [2]])
print(torch.equal(torch.column_stack((m, m)), torch.hstack((m, m))))
#> True

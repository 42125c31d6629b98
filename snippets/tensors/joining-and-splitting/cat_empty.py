"""`cat` accepts an empty vector beside tensors of any shape."""
# covers: tensor-ops.table.cat

import torch

rows = torch.empty(0)
for number in (1.0, 2.0):
    rows = torch.cat((rows, torch.full((1, 3), number)))
print(rows)
#> tensor([[1., 1., 1.],
#>         [2., 2., 2.]])

torch.cat((torch.empty(0, 2), torch.ones(1, 3)))
#! RuntimeError: Sizes of tensors must match except in dimension 0. Expected size 2 but got size 3 for tensor number 1 in the list.

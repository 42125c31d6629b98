"""`vsplit` cuts between rows."""
# covers: tensor-ops.table.vsplit

import torch

t = torch.arange(8).view(4, 2)
print(torch.vsplit(t, 2))
#> (tensor([[0, 1],
#>         [2, 3]]), tensor([[4, 5],
#>         [6, 7]]))
print(torch.vsplit(t, [1]))
#> (tensor([[0, 1]]), tensor([[2, 3],
#>         [4, 5],
#>         [6, 7]]))
torch.vsplit(torch.arange(4), 2)
#! RuntimeError: torch.vsplit requires a tensor with at least 2 dimension, but got a tensor with 1 dimensions!

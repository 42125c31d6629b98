"""`split` cuts into parts of a given size, or of the sizes in a list."""
# covers: tensor-ops.table.split

import torch

a = torch.arange(10).reshape(5, 2)
print(torch.split(a, 2))
#> (tensor([[0, 1],
#>         [2, 3]]), tensor([[4, 5],
#>         [6, 7]]), tensor([[8, 9]]))
print(torch.split(a, [1, 4]))
#> (tensor([[0, 1]]), tensor([[2, 3],
#>         [4, 5],
#>         [6, 7],
#>         [8, 9]]))
torch.split(a, [1, 3])
#! RuntimeError: split_with_sizes expects split_sizes to sum exactly to 5 (input tensor's size at dimension 0), but got split_sizes=[1, 3]

"""`randperm` returns the integers below n in random order."""
# covers: tensor-random.randperm

import torch

torch.manual_seed(0)
order = torch.randperm(5)
print(order, order.dtype)
#> tensor([4, 0, 1, 3, 2]) torch.int64
rows = torch.tensor([[0, 0], [1, 10], [2, 20], [3, 30], [4, 40]])
print(rows[order])
#> tensor([[ 4, 40],
#>         [ 0,  0],
#>         [ 1, 10],
#>         [ 3, 30],
#>         [ 2, 20]])

"""`bmm` multiplies the matrices of two batches pair by pair."""
# covers: tensor-ops.bmm

import torch

a = torch.tensor([[[1, 2], [3, 4]], [[1, 0], [0, 1]]])
b = torch.tensor([[[10], [20]], [[30], [40]]])
print(a.shape, b.shape)
#> torch.Size([2, 2, 2]) torch.Size([2, 2, 1])
print(torch.bmm(a, b))
#> tensor([[[ 50],
#>          [110]],
#>
#>         [[ 30],
#>          [ 40]]])
print(torch.bmm(torch.zeros(10, 3, 4), torch.zeros(10, 4, 5)).shape)
#> torch.Size([10, 3, 5])

"""`nonzero` returns the position of each element that is not zero."""
# covers: tensor-ops.table.nonzero

import torch

print(torch.nonzero(torch.tensor([1, 1, 1, 0, 1])))
#> tensor([[0],
#>         [1],
#>         [2],
#>         [4]])
t = torch.tensor([[5, 0], [0, 7]])
print(torch.nonzero(t))
#> tensor([[0, 0],
#>         [1, 1]])
print(t[torch.nonzero(t)].shape)
#> torch.Size([2, 2, 2])
print(torch.nonzero(t, as_tuple=True))
#> (tensor([0, 1]), tensor([0, 1]))
print(t[torch.nonzero(t, as_tuple=True)])
#> tensor([5, 7])

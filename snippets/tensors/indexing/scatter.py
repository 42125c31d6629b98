"""`scatter_` writes where `gather` reads."""
# covers: tensor-ops.table.scatter

import torch

t = torch.zeros(2, 3)
t.scatter_(1, torch.tensor([[2, 0]]), torch.tensor([[10.0, 20.0]]))
print(t)
#> tensor([[20.,  0., 10.],
#>         [ 0.,  0.,  0.]])
print(torch.gather(t, 1, torch.tensor([[2, 0]])))
#> tensor([[10., 20.]])

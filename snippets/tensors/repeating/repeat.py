"""`repeat` copies, and its arguments are counts."""
# covers: tensor-ops.repeat

import torch

t = torch.tensor([[1, 2, 3]])
print(t.repeat(2, 2))
#> tensor([[1, 2, 3, 1, 2, 3],
#>         [1, 2, 3, 1, 2, 3]])
print(t.repeat(4, 2, 1).shape)
#> torch.Size([4, 2, 3])
copy = t.repeat(1, 1)
t[0, 0] = 100
print(copy)
#> tensor([[1, 2, 3]])

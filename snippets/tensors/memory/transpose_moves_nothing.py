"""Transposing swaps the strides and leaves the numbers where they are."""

import torch

t = torch.tensor([[0, 1, 2], [3, 4, 5]])
u = t.t()
print(u)
#> tensor([[0, 3],
#>         [1, 4],
#>         [2, 5]])
print(t.stride(), u.stride())
#> (3, 1) (1, 3)
print(t.data_ptr() == u.data_ptr())
#> True

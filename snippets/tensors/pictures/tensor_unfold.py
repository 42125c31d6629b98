"""`Tensor.unfold` returns windows along one axis without a copy."""

import torch

t = torch.arange(6)
windows = t.unfold(0, 3, 1)
print(windows)
#> tensor([[0, 1, 2],
#>         [1, 2, 3],
#>         [2, 3, 4],
#>         [3, 4, 5]])
print(windows.stride(), windows.data_ptr() == t.data_ptr())
#> (1, 1) True

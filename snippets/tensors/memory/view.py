"""`view` returns the same numbers in another shape without a copy."""
# covers: tensor-ops.view

import torch

a = torch.arange(120).view(2, 3, 4, 5)
b = a.view(3, 4, 5, -1)
print(b.size())
#> torch.Size([3, 4, 5, 2])
print(a.data_ptr() == b.data_ptr())
#> True
b[0, 0, 0, 0] = 1000
print(a[0, 0, 0, 0])
#> tensor(1000)
a.view(7, 17)
#! RuntimeError: shape '[7, 17]' is invalid for input of size 120

"""`view` requires matching strides, and a tensor need not be contiguous."""
# covers: tensor-ops.view

import torch

u = torch.arange(8).view(2, 4).t()
print(u.is_contiguous())
#> False
v = u.view(2, 2, 2)
print(v.shape, v.stride())
#> torch.Size([2, 2, 2]) (2, 1, 4)
print(v.data_ptr() == u.data_ptr())
#> True

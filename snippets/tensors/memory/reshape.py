"""`reshape` returns a view if it can and a copy if it must."""
# covers: tensor-ops.table.reshape

import torch

t = torch.arange(6)
a = t.reshape(2, 3)
print(a)
#> tensor([[0, 1, 2],
#>         [3, 4, 5]])
print(a.data_ptr() == t.data_ptr())
#> True

b = a.t().reshape(6)
print(b)
#> tensor([0, 3, 1, 4, 2, 5])
print(b.data_ptr() == t.data_ptr())
#> False

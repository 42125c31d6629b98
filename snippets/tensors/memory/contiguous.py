"""`contiguous()` copies into row order, or returns the tensor itself."""
# covers: tensor-ops.contiguous

import torch

t = torch.tensor([[0, 1, 2], [3, 4, 5]])
print(t.contiguous() is t)
#> True

u = t.t()
c = u.contiguous()
print(u.stride(), c.stride())
#> (1, 3) (2, 1)
print(torch.equal(u, c), u.data_ptr() == c.data_ptr())
#> True False
c[0, 0] = 100
print(t[0, 0])
#> tensor(0)

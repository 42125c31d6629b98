"""`vstack` adds an axis to vectors but not to matrices."""
# covers: tensor-ops.table.stack

import torch

a = torch.tensor([1, 2, 3])
print(torch.equal(torch.vstack((a, a)), torch.stack((a, a))))
#> True
m = torch.zeros(2, 3)
print(torch.vstack((m, m)).shape, torch.stack((m, m)).shape)
#> torch.Size([4, 3]) torch.Size([2, 2, 3])

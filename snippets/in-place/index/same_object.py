"""`exp()` computes a new tensor, and an assignment to an index changes the existing one."""
# covers: inplace.definition inplace.id-test

import torch

a = torch.tensor([3.0, 1.0])
before = id(a)
a = a.exp()
print(id(a) == before)
#> False

a = torch.tensor([3.0, 1.0])
before = id(a)
a[0] = 10
print(id(a) == before)
#> True
print(a)
#> tensor([10.,  1.])

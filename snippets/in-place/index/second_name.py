"""`a += 1` changes the tensor to which a second name refers, and `a = a + 1` does not."""
# covers: inplace.definition inplace.leaf-forbidden

import torch

a = torch.tensor([1.0])
b = a
a = a + 1
print(a, b)
#> tensor([2.]) tensor([1.])

a = torch.tensor([1.0])
b = a
a += 1
print(a, b)
#> tensor([2.]) tensor([2.])

before = id(a)
a += 1
print(id(a) == before, a)
#> True tensor([3.])

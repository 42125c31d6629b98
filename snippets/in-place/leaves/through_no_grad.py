"""Change the leaf inside `no_grad()`."""
# covers: inplace.leaf-modify.no-grad

import torch

a = torch.tensor([10.0, 5.0, 2.0, 3.0], requires_grad=True)
before = id(a)
with torch.no_grad():
    a[:] = 10.0
    print(a.requires_grad)
#> True
print(a, a.is_leaf, id(a) == before)
#> tensor([10., 10., 10., 10.], requires_grad=True) True True

loss = (a * a).mean()
loss.backward()
print(a.grad)
#> tensor([5., 5., 5., 5.])

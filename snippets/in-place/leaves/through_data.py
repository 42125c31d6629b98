"""Change the leaf through `.data` or `detach()`."""
# covers: inplace.leaf-modify.data

import torch

a = torch.tensor([10.0, 5.0, 2.0, 3.0], requires_grad=True)
before = id(a)
a.data.fill_(10.0)
print(a, a.is_leaf, id(a) == before)
#> tensor([10., 10., 10., 10.], requires_grad=True) True True

loss = (a * a).mean()
loss.backward()
print(a.grad)
#> tensor([5., 5., 5., 5.])

a = torch.tensor([10.0, 5.0, 2.0, 3.0], requires_grad=True)
a.detach().fill_(10.0)
loss = (a * a).mean()
loss.backward()
print(a, a.is_leaf)
#> tensor([10., 10., 10., 10.], requires_grad=True) True
print(a.grad)
#> tensor([5., 5., 5., 5.])

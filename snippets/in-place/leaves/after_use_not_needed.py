"""A leaf may be changed after its use if no derivative needs the value."""
# covers: inplace.leaf-modify.before-use

import torch

a = torch.tensor([1.0, 2.0], requires_grad=True)
loss = (a * 3).sum()
with torch.no_grad():
    a.fill_(10.0)
loss.backward()
print(a, a.grad)
#> tensor([10., 10.], requires_grad=True) tensor([3., 3.])

"""`z.backward()` and `torch.autograd.backward(z)` do the same work."""
# covers: autograd.backward.equivalence

import torch

x = torch.tensor([2.0], requires_grad=True)

z = x**3
z.backward()
print(x.grad)
#> tensor([12.])

x.grad = None
z = x**3
torch.autograd.backward(z)
print(x.grad)
#> tensor([12.])

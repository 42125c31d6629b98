"""`backward` takes several results at once and adds their gradients."""
# covers: autograd.backward.params

import torch

x = torch.tensor(2.0, requires_grad=True)
square = x**2
cube = x**3

torch.autograd.backward([square, cube])
print(x.grad)
#> tensor(16.)

# The same as one backward from the sum.
x.grad = None
(x**2 + x**3).backward()
print(x.grad)
#> tensor(16.)

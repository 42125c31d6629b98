"""The gradients of a product are the other factor."""
# covers: autograd.scalar-mul

import torch

a = torch.tensor(1.0, requires_grad=True)
b = torch.tensor(2.0, requires_grad=True)
c = a * b
c.backward()
print(a.grad, b.grad)
#> tensor(2.) tensor(1.)

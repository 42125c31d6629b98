"""A detached tensor is a constant: the gradient does not flow through it."""
# covers: autograd.detach

import torch

x = torch.tensor(3.0, requires_grad=True)
square = x * x
square.backward()
print(x.grad)
#> tensor(6.)

x.grad = None
constant = x.detach()
product = x * constant
product.backward()
print(x.grad)
#> tensor(3.)

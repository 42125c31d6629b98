"""A hook that returns a tensor changes the gradient for the rest of the backward pass."""
# covers: hooks.register-hook-debug autograd.retain-grad

import torch

x = torch.ones(2, requires_grad=True)
h = x * 2
h.retain_grad()
handle = h.register_hook(lambda grad: grad * 10)

h.sum().backward()
print(h.grad)
#> tensor([10., 10.])
print(x.grad)
#> tensor([20., 20.])

handle.remove()
x.grad = None
(x * 2).sum().backward()
print(x.grad)
#> tensor([2., 2.])

"""A tensor that was computed can be a leaf that requires a gradient."""
# covers: autograd.leaf.rule autograd.leaf.two-origins

import torch

w = torch.tensor([1.0, 2.0], requires_grad=True)

start = (w * 2).detach().requires_grad_()
print(start, start.is_leaf)
#> tensor([2., 4.], requires_grad=True) True

parameter = torch.nn.Parameter(w * 2)
print(parameter.is_leaf)
#> True

(start * 5).sum().backward()
print(start.grad)
#> tensor([5., 5.])
print(w.grad)
#> None

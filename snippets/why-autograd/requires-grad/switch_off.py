"""`requires_grad` can be switched off only on a leaf."""
# covers: autograd.requires-grad-propagation autograd.leaf.rule

import torch

w = torch.tensor([1.0, 2.0])
w.requires_grad_()
print((w * 3).requires_grad)
#> True
w.requires_grad_(False)
print((w * 3).requires_grad)
#> False

w.requires_grad_()
result = w * 3
print(result.detach().requires_grad)
#> False
result.requires_grad = False
#! RuntimeError: you can only change requires_grad flags of leaf variables. If you want to use a computed variable in a subgraph that doesn't require differentiation use var_no_grad = var.detach().

"""A created tensor is a leaf, and a computed one is not."""
# covers: autograd.leaf.rule autograd.leaf.two-origins tensor-props.is-leaf

import torch

a = torch.ones([2, 2], requires_grad=True)
print(a.is_leaf)
#> True

b = a + 2
print(b.is_leaf)
#> False

parameter = torch.nn.Parameter(torch.zeros(2))
print(parameter.is_leaf)
#> True

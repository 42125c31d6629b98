"""A result of a tensor that requires a gradient requires one as well."""
# covers: autograd.requires-grad-propagation graph.example.requires-grad-propagates

import torch

x = torch.tensor([2.0], requires_grad=True)
w = torch.tensor([1.0], requires_grad=True)
a = x + w
b = w + 1
y = a * b

print(a.requires_grad, b.requires_grad, y.requires_grad)
#> True True True
print(a.is_leaf, b.is_leaf, y.is_leaf)
#> False False False

data = torch.tensor([2.0])
print((data + 1).requires_grad, (data + w).requires_grad)
#> False True

"""The node of `y` points to the nodes of `a` and `b`, not to `x` and `w`."""
# covers: graph.xw-code

import torch

x = torch.tensor([2.0], requires_grad=True)
w = torch.tensor([1.0], requires_grad=True)
a = x + w
b = w + 1
y = a * b

(first, _), (second, _) = y.grad_fn.next_functions
print(type(first).__name__, type(second).__name__)
#> AddBackward0 AddBackward0
print(first is a.grad_fn, second is b.grad_fn)
#> True True

# This product is a leaf, because neither factor requires a gradient.
product = a.detach() * b.detach()
print(product, product.is_leaf)
#> tensor([6.]) True

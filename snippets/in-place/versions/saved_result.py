"""A product with a plain number does not need its other factor in backward, and `exp` needs its result."""
# covers: inplace.error.modified

import torch

x = torch.tensor([0.5, 2.0], requires_grad=True)

h = x + 1
y = h * 3
h.zero_()  # only a gradient of 3 would need h
y.sum().backward()
print(x.grad)
#> tensor([3., 3.])

x.grad = None
h = x * 1
y = h.exp()
h.zero_()  # the input of exp: not needed
y.sum().backward()
print(x.grad)
#> tensor([1.6487, 7.3891])

y = x.exp()
y += 1  # the result of exp: needed
y.sum().backward()
#! RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: ...

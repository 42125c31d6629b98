"""A factor that no gradient needs, the input of `exp`, and the result of `exp`."""
# covers: inplace.error.modified

import torch

x = torch.tensor([0.5, 2.0], requires_grad=True)

h = x + 1
y = h * 3
h.zero_()  # no node saved h: the 3 requires no gradient
y.sum().backward()
print(x.grad)
#> tensor([3., 3.])

x.grad = None
h = x * 1
y = h.exp()
h.zero_()  # the input of exp, which its node does not need
y.sum().backward()
print(x.grad)
#> tensor([1.6487, 7.3891])

y = x.exp()
y += 1  # the result of exp, which its node saved
y.sum().backward()
#! RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: ...

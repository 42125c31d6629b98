"""Some operations need their result in backward, not their input."""
# covers: inplace.error.modified

import torch

x = torch.tensor([0.5, 2.0], requires_grad=True)

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

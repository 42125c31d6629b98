"""A result that is changed inside `no_grad`: its value and its gradient no longer belong together."""
# covers: autograd.no-grad inplace.no-error-means-right

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
h = x * 2
with torch.no_grad():
    h *= 5
print(h)
#> tensor([10., 20.], grad_fn=<MulBackward0>)

h.sum().backward()
print(x.grad)
#> tensor([2., 2.])

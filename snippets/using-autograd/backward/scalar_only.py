"""`backward` without an argument needs a result with exactly one element."""
# covers: autograd.backward.params

import torch

x = torch.ones(3, requires_grad=True)

(x * 2).sum().backward()
print(x.grad)
#> tensor([2., 2., 2.])

# One element is enough; the number of dimensions doesn't matter.
y = (x * 2).sum().reshape(1, 1)
y.backward()
print(x.grad)
#> tensor([4., 4., 4.])

# Three elements are two too many.
(x * 2).backward()
#! RuntimeError: grad can be implicitly created only for scalar outputs

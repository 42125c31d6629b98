"""A loss in which large errors count more, with and without `detach` on the factor."""
# covers: autograd.detach

import torch

error = torch.tensor(2.0, requires_grad=True)
(error.abs().detach() * error**2).backward()
print(error.grad)
#> tensor(8.)

error.grad = None
(error.abs() * error**2).backward()
print(error.grad)
#> tensor(12.)

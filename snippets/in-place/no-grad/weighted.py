"""Large errors shall count more: with the factor as a constant, and without."""
# covers: autograd.detach

import torch

error = torch.tensor([2.0, -1.0], requires_grad=True)

(error.abs().detach() * error**2).sum().backward()
print(error.grad)
#> tensor([ 8., -2.])

error.grad = None
(error.abs() * error**2).sum().backward()
print(error.grad)
#> tensor([12., -3.])

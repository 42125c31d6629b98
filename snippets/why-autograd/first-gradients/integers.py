"""Only floating point and complex tensors can require a gradient."""
# covers: autograd.scalar-mul

import torch

print(torch.tensor(1.0, requires_grad=True))
#> tensor(1., requires_grad=True)

try:
    torch.tensor(1, requires_grad=True)
except RuntimeError as error:
    print(error)
#> Only Tensors of floating point and complex dtype can require gradients

torch.tensor(1).requires_grad_()
#! RuntimeError: only Tensors of floating point dtype can require gradients

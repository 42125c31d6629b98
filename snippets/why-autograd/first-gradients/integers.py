"""Only floating point and complex tensors can require a gradient."""
# covers: autograd.scalar-mul

import torch

a = torch.tensor(1, requires_grad=True)
#! RuntimeError: Only Tensors of floating point and complex dtype can require gradients

a = torch.tensor(1).requires_grad_()
#! RuntimeError: only Tensors of floating point dtype can require gradients

a = torch.tensor(1.0, requires_grad=True)
print(a)
#> tensor(1., requires_grad=True)

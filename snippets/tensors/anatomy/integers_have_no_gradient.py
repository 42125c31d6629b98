"""Only floating and complex tensors can require a gradient."""

import torch

t = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
print(t.is_floating_point())
#> True
torch.tensor([1, 2, 3], requires_grad=True)
#! RuntimeError: Only Tensors of floating point and complex dtype can require gradients

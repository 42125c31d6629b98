"""Backward starts from one number, unless the first gradient is given."""
# covers: theory.matrixslow-jacobian

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 3
y.backward()
#! RuntimeError: grad can be implicitly created only for scalar outputs

y.backward(torch.tensor([1.0, 1.0]))
print(x.grad)
#> tensor([3., 3.])

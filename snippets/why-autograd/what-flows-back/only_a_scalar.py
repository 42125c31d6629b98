"""`backward` without an argument starts from one number."""
# covers: theory.matrixslow-jacobian

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 3
y.backward()
#! RuntimeError: grad can be implicitly created only for scalar outputs

"""For `tanh`, the vector–Jacobian product takes one multiplication per number, and no matrix is built."""
# covers: theory.matrixslow-jacobian

import torch

x = torch.linspace(-1, 1, 10_000, requires_grad=True)
y = torch.tanh(x)
print("entries of the Jacobian:", y.numel() * x.numel())
#> entries of the Jacobian: 100000000

y.backward(torch.ones_like(y))
print("numbers in the gradient:", x.grad.numel())
#> numbers in the gradient: 10000
print(torch.allclose(x.grad, 1 - torch.tanh(x.detach()) ** 2))
#> True

"""For an elementwise function the Jacobian is diagonal, and is never built."""
# covers: theory.matrixslow-jacobian

import torch

x = torch.linspace(-1, 1, 10_000, requires_grad=True)
y = torch.tanh(x)

# The full Jacobian would have this many entries:
print(y.numel() * x.numel())
#> 100000000

# backward multiplies ten thousand numbers by ten thousand numbers.
y.backward(torch.ones_like(y))
print(x.grad.shape)
#> torch.Size([10000])
print(torch.allclose(x.grad, 1 - torch.tanh(x.detach()) ** 2))
#> True

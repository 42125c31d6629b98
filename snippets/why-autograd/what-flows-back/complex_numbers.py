"""The gradient of a real loss with respect to a complex number points uphill in the plane."""
# covers: theory.matrixslow-jacobian
# engines: torch -- complex numbers are outside the engine's scope

import torch

z = torch.tensor(1.0 + 2.0j, requires_grad=True)
loss = z.abs() ** 2
loss.backward()
print(z.grad)
#> tensor(2.+4.j)

a, b = torch.tensor(1.0, requires_grad=True), torch.tensor(2.0, requires_grad=True)
(a**2 + b**2).backward()
print(a.grad, b.grad)
#> tensor(2.) tensor(4.)

(z * z).backward()
#! RuntimeError: grad can be implicitly created only for real scalar outputs but got torch.complex64

"""In `float32` the finite differences are too inaccurate, and a right gradient fails."""
# covers: function.gradcheck

import torch

x = torch.tensor([1.0, -2.0], requires_grad=True)
print(torch.autograd.gradcheck(lambda x: x**3, x, raise_exception=False))
#> False
#~ UserWarning: Input #0 requires gradient and is not a double precision floating point or complex. This check will likely fail if all the inputs are not of double precision floating point or complex.

print(torch.autograd.gradcheck(lambda x: x**3, x.detach().double().requires_grad_()))
#> True

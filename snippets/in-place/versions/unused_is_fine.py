"""Nothing is compared for a tensor that backward does not need."""
# covers: inplace.version-unused-ok

import torch

a = torch.tensor([1.0, 2.0], requires_grad=True)
b = a + 2
y = b + 1
b[0] = 1000.0
print(b._version)
#> 1

y.sum().backward()
print(a.grad)
#> tensor([1., 1.])

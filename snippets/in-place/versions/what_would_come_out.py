"""The error prevents a wrong number: this is the number."""
# covers: inplace.version-counter

import torch

a = torch.tensor([1.0, 2.0], requires_grad=True)
b = a + 2
loss = (b * b).mean()
loss.backward()
print(a.grad)
#> tensor([3., 4.])

a.grad = None
b = a + 2
loss = (b * b).mean()
b.data[0] = 1000.0  # past the counter
print(b._version)
#> 0
loss.backward()
print(a.grad)
#> tensor([1000.,    4.])

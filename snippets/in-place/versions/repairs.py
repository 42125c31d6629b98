"""Three repairs: a new tensor, a copy, another order."""
# covers: inplace.error.modified

import torch

x = torch.tensor([0.5, 2.0], requires_grad=True)

y = x.exp()
y = y + 1
y.sum().backward()
print(x.grad)
#> tensor([1.6487, 7.3891])

x.grad = None
y = x.exp()
z = y.clone()
z += 1
z.sum().backward()
print(x.grad)
#> tensor([1.6487, 7.3891])

x.grad = None
y = x.exp()
y.sum().backward()
with torch.no_grad():
    y += 1  # after backward
print(x.grad)
#> tensor([1.6487, 7.3891])

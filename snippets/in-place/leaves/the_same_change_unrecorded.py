"""The same change is allowed where nothing is recorded, and the gradient is right."""
# covers: inplace.leaf-forbidden

import torch

w = torch.tensor([1.0], requires_grad=True)
y = w + 2
with torch.no_grad():
    w.add_(1)
y.backward()
print(w, w.grad)
#> tensor([2.], requires_grad=True) tensor([1.])

"""A factor that was computed inside `no_grad()`."""
# covers: autograd.no-grad

import torch

w = torch.tensor([1.0, 2.0], requires_grad=True)
with torch.no_grad():
    tripled = w * 3
print(tripled.grad_fn)
#> None

(tripled * w).sum().backward()
print(w.grad)
#> tensor([3., 6.])

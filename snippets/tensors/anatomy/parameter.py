"""A parameter requires a gradient, which its update uses."""
# covers: tensor-props.role

import torch

w = torch.tensor([1.0, 2.0], requires_grad=True)
loss = (w * w).sum()
loss.backward()
print(w.grad)
#> tensor([2., 4.])
with torch.no_grad():
    w -= 0.1 * w.grad
print(w)
#> tensor([0.8000, 1.6000], requires_grad=True)

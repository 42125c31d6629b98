"""Three attributes that printing a tensor doesn't show, and that autograd uses."""

import torch

w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
h = w * 2
view = h[1:]
print(h._version, view._version, view._base is h)
#> 0 0 True
h.add_(1)
print(h._version, view._version)
#> 1 1
h.retain_grad()
print(h.retains_grad, view.retains_grad)
#> True False

"""`zeros_like` does not copy `requires_grad`."""

import torch

w = torch.ones(2, requires_grad=True)
print(torch.zeros_like(w))
#> tensor([0., 0.])
print(torch.zeros_like(w, requires_grad=True))
#> tensor([0., 0.], requires_grad=True)

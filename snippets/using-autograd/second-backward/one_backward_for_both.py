"""One backward pass for both losses goes through the trunk once."""
# covers: autograd.backward.second-time-error

import torch

x = torch.tensor([2.0], requires_grad=True)

trunk = x**2
first = trunk * 3
second = trunk**2

torch.autograd.backward([first, second])
print(x.grad)
#> tensor([44.])

"""A sum saves nothing, so it allows any number of backward passes."""
# covers: autograd.backward.second-time-error

import torch

x = torch.tensor([2.0], requires_grad=True)
w = torch.tensor([1.0], requires_grad=True)
y = x + w + 1

y.backward()
y.backward()
y.backward()
print(w.grad)
#> tensor([3.])

"""Where nothing was saved, nothing is missing: a sum can be walked any number of times."""
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

"""`backward` adds gradients to the leaves."""
# covers: autograd.three-apis

import torch

w = torch.tensor(1.0, requires_grad=True)
y = (w + 2) * (w + 1)
torch.autograd.backward(y)
print(w.grad)
#> tensor(5.)

y = (w + 2) * (w + 1)
y.backward()  # the same function, as a method
print(w.grad)
#> tensor(10.)

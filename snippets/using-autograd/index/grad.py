"""`grad` returns gradients and changes no `.grad`."""
# covers: autograd.three-apis

import torch

w = torch.tensor(1.0, requires_grad=True)
y = (w + 2) * (w + 1)
print(torch.autograd.grad(y, w))
#> (tensor(5.),)
print(w.grad)
#> None

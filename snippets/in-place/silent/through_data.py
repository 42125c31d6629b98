"""1. A write through `.data` is not counted."""
# covers: inplace.no-error-means-right

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
h = x * 2
loss = (h * h).sum()
h.data.clamp_(max=3)
loss.backward()
print(x.grad)
#> tensor([ 8., 12.])

x.grad = None
untouched = x * 2
loss = (untouched * untouched).sum()
loss.backward()
print(x.grad)  # right
#> tensor([ 8., 16.])

"""A pass that fails half-way may have filled some leaves already."""

import torch

b = torch.tensor(1.0, requires_grad=True)
w = torch.tensor(2.0, requires_grad=True)
loss = b + w * w

loss.backward()
print(b.grad, w.grad)
#> tensor(1.) tensor(4.)

try:
    loss.backward()
except RuntimeError as error:
    print(str(error)[:50])
#> Trying to backward through the graph a second time
print(b.grad, w.grad)
#> tensor(2.) tensor(4.)

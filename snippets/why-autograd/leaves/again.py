"""Two backward passes through the same graph."""
# covers: autograd.backward.second-time-error

import torch

x = torch.tensor([0.0, 0.25, 0.75, 1.0])
y = torch.tensor([0.0, 0.0, 1.0, 1.0])
w = torch.tensor(1.0, requires_grad=True)

loss = ((w * x - y) ** 2).mean()
loss.backward()
print(w.grad)
#> tensor(-0.0625)

loss.backward()
#! RuntimeError: Trying to backward through the graph a second time ...

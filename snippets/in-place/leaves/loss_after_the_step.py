"""A loss computed after the step saves the new values."""
# covers: inplace.leaf-modify.before-use

import torch

w = torch.tensor([1.0, 2.0], requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1)

first = (w * w).sum()
first.backward()
optimizer.step()

optimizer.zero_grad()
second = (w**3).sum()
second.backward()
print(w.grad)
#> tensor([1.9200, 7.6800])

"""Clear, backward, step; and what happens without the first."""
# covers: train.epoch-steps

import torch

w = torch.tensor([1.0], requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1)

loss = (w**2).sum()
loss.backward()
print(w.grad)
#> tensor([2.])
loss = (w**2).sum()
loss.backward()
print(w.grad)
#> tensor([4.])

optimizer.zero_grad()
print(w.grad)
#> None
loss = (w**2).sum()
loss.backward()
optimizer.step()
print(w.grad, w)
#> tensor([2.]) tensor([0.8000], requires_grad=True)

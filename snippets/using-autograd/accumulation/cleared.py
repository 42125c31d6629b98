"""There are four ways to clear a gradient."""
# covers: autograd.grad-accumulates

import torch

x = torch.tensor([2.0])
w = torch.tensor([1.0], requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1)

# In place: the tensor stays, its numbers become zero.
((x + w) * (w + 1)).backward()
w.grad.zero_()
print(w.grad)
#> tensor([0.])

# By the optimizer: .grad is None afterwards, not zero.
((x + w) * (w + 1)).backward()
optimizer.zero_grad()
print(w.grad)
#> None

# Zeros instead of None, on request.
((x + w) * (w + 1)).backward()
optimizer.zero_grad(set_to_none=False)
print(w.grad)
#> tensor([0.])

# By hand.
w.grad = None
print(w.grad)
#> None

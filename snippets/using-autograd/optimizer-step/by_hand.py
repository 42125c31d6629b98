"""A step of plain SGD, by the optimizer and by hand."""
# covers: autograd.optimizer-step

import torch

by_optimizer = torch.tensor([1.0, -2.0], requires_grad=True)
by_hand = torch.tensor([1.0, -2.0], requires_grad=True)
optimizer = torch.optim.SGD([by_optimizer], lr=0.1)

(by_optimizer**2).sum().backward()
(by_hand**2).sum().backward()
print(by_hand.grad)
#> tensor([ 2., -4.])

optimizer.step()
with torch.no_grad():
    by_hand -= 0.1 * by_hand.grad

print(by_optimizer)
#> tensor([ 0.8000, -1.6000], requires_grad=True)
print(by_hand)
#> tensor([ 0.8000, -1.6000], requires_grad=True)

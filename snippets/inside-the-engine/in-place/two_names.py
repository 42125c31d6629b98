"""A second name means the same tensor; the node that it had is still there for those that were built on it."""

import torch

a = torch.tensor([3.0, 4.0], requires_grad=True)
h = a * 2
same = h
early = h + 1
h.mul_(10)
(early + same).sum().backward()
print(a.grad)
#> tensor([22., 22.])

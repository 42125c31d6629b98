"""A second name is the same tensor. Its old node stays in the graph for the results that depend on it."""

import torch

a = torch.tensor([3.0, 4.0], requires_grad=True)
h = a * 2
same = h
early = h + 1
h.mul_(10)
(early + same).sum().backward()
print(a.grad)
#> tensor([22., 22.])

"""A result lives as long as a name or a node refers to it."""
# covers: autograd.leaf.memory

import weakref

import torch

w = torch.ones(3, requires_grad=True)
h = w * 2
alive = weakref.ref(h)

loss = (h * h).sum()
loss.backward()
print(alive() is None)
#> False

h = None
print(alive() is None)
#> True

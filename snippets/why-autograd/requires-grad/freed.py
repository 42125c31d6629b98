"""`backward` frees the saved tensors of the nodes, but not the tensors that have a name."""
# covers: autograd.leaf.memory

import torch

w = torch.tensor(3.0, requires_grad=True)
h = w * 2
y = h * h
node = y.grad_fn
print(node._saved_self)
#> tensor(6., grad_fn=<MulBackward0>)

y.backward()
print(h)
#> tensor(6., grad_fn=<MulBackward0>)
node._saved_self
#! RuntimeError: Trying to backward through the graph a second time ...

"""A backward pass frees what was saved, unless it is called with `retain_graph=True`."""

import torch

a = torch.tensor(3.0, requires_grad=True)
y = a * a
print(y.grad_fn._saved_self)
#> tensor(3., requires_grad=True)
y.backward(retain_graph=True)
y.backward()
print(a.grad)
#> tensor(12.)

y.grad_fn._saved_self
#! RuntimeError: Trying to backward through the graph a second time ...

"""A pass with `retain_graph=True` frees nothing, and the first pass without it frees the saved tensors."""
# covers: autograd.backward.retain-graph-example

import torch

x = torch.tensor([2.0], requires_grad=True)
w = torch.tensor([1.0], requires_grad=True)
y = (x + w) * (w + 1)

y.backward(retain_graph=True)
print(w.grad)
#> tensor([5.])

# This pass doesn't retain, so it is the last one.
y.backward()
print(w.grad)
#> tensor([10.])

y.backward()
#! RuntimeError: Trying to backward through the graph a second time ...

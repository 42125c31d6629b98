"""The graph lives on when the names of its tensors are deleted."""
# covers: graph.data-vs-op

import torch

w = torch.tensor(3.0, requires_grad=True)
h = w * 2
y = h * h
node = y.grad_fn
print(node._saved_self.item(), node._saved_other.item())
#> 6.0 6.0

h = None
y.backward()
print(w.grad)
#> tensor(24.)

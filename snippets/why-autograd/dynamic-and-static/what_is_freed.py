"""`backward` frees the saved tensors, but the nodes remain."""
# covers: graph.dynamic-vs-static autograd.leaf.memory

import torch

a = torch.tensor([3.0, 1.0], requires_grad=True)
loss = (a * a).mean()
node = loss.grad_fn.next_functions[0][0]
print(type(node).__name__, node._saved_self is not None)
#> MulBackward0 True

loss.backward()
print(type(loss.grad_fn.next_functions[0][0]).__name__)
#> MulBackward0
node._saved_self
#! RuntimeError: Trying to backward through the graph a second time ...

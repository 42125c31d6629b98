"""A graph serves one backward; a new forward builds a new one."""
# covers: graph.dynamic.rebuild graph.dynamic-vs-static

import torch

a = torch.tensor([3.0, 1.0], requires_grad=True)
b = a * a
loss = b.mean()
loss.backward()
print(a.grad)
#> tensor([3., 1.])

loss.backward()
#! RuntimeError: Trying to backward through the graph a second time (or directly access saved tensors after they have already been freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the graph a second time or if you need to access saved tensors after calling backward.

b = a * a
loss = b.mean()
loss.backward()
print(a.grad)
#> tensor([6., 2.])

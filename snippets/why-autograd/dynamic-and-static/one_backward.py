"""A graph serves one `backward`; a second one fails because the saved tensors are freed."""
# covers: graph.dynamic-vs-static

import torch

w = torch.tensor([3.0, 1.0], requires_grad=True)
loss = (w * w).mean()
loss.backward()
print(w.grad)
#> tensor([3., 1.])

loss.backward()
#! RuntimeError: Trying to backward through the graph a second time (or directly access saved tensors after they have already been freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the graph a second time or if you need to access saved tensors after calling backward.

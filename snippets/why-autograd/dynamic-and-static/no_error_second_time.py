"""A graph that saved nothing can be used twice, and the gradients double."""
# covers: graph.dynamic.rebuild graph.dynamic-vs-static

import torch

a = torch.tensor([3.0, 1.0], requires_grad=True)
loss = (a + 2).mean()
loss.backward()
print(a.grad)
#> tensor([0.5000, 0.5000])

loss.backward()
print(a.grad)
#> tensor([1., 1.])

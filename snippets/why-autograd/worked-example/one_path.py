"""Close one of the two paths to `stem`, and see what comes through the other."""
# covers: graph.example.grads-28-8-10

import torch

image = torch.ones(2, 2)
w1 = torch.tensor(2.0, requires_grad=True)
stem = image * w1

left, right = stem.detach() + 3.0, stem * 4.0  # the path through `left` is closed
(left * right).mean().backward()
print(w1.grad)
#> tensor(20.)

w1.grad = None
stem = image * w1
left, right = stem + 3.0, stem.detach() * 4.0  # the path through `right` is closed
(left * right).mean().backward()
print(w1.grad)
#> tensor(8.)

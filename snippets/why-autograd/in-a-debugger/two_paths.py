"""A variable that reaches the result on two paths gets both contributions."""
# covers: graph.xw-example graph.xw-grad

import torch

x = torch.tensor([2.0], requires_grad=True)
w = torch.tensor([1.0], requires_grad=True)

a = x + w
b = w + 1
y = a * b
print(a.item(), b.item(), y.item())
#> 3.0 2.0 6.0

y.backward()
print(w.grad, x.grad)
#> tensor([5.]) tensor([2.])

# By hand: dy/da = b and dy/db = a.
print(b.item() * 1 + a.item() * 1)
#> 5.0

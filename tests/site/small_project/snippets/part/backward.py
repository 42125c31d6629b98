"""A product backwards."""

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
w = torch.tensor(3.0, requires_grad=True)
y = x * w
z = torch.relu(y - 4) + y
z.sum().backward()
print(x.grad, w.grad)
#> tensor([3., 6.]) tensor(5.)
w.grad = None
(w * w).backward()
print(w.grad)
#> tensor(6.)

"""A hook on a view of the tensor has the same effect."""

import torch

x = torch.tensor([2.0], requires_grad=True)
y = x.view_as(x)
y.register_hook(lambda grad: -0.1 * grad)

(y**2).backward()
print(x.grad)
#> tensor([-0.4000])

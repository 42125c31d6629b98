"""The vector that `backward` takes is a gradient: that of the loss with respect to the result."""
# covers: autograd.backward.grad-tensors-weight

import torch

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)

# In one go, from the loss to x.
y = x**2
loss = (y * torch.tensor([1.0, 10.0, 100.0])).sum()
loss.backward()
print(x.grad)
#> tensor([  2.,  40., 600.])

# In two parts: first from the loss to y, then from y to x.
x.grad = None
y = x**2
loss = (y * torch.tensor([1.0, 10.0, 100.0])).sum()
(grad_y,) = torch.autograd.grad(loss, y)
print(grad_y)
#> tensor([  1.,  10., 100.])
y.backward(grad_y)
print(x.grad)
#> tensor([  2.,  40., 600.])

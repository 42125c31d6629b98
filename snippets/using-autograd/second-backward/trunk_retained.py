"""The backward pass of the first loss keeps the saved tensors for the second."""
# covers: autograd.backward.second-time-error

import torch

x = torch.tensor([2.0], requires_grad=True)

trunk = x**2
first = trunk * 3
second = trunk**2

first.backward(retain_graph=True)
second.backward()
print(x.grad)
#> tensor([44.])

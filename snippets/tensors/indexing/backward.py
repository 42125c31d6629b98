"""The backward pass of `gather` is `scatter_add`, and that of `scatter` is `gather`."""

import torch

t = torch.tensor([[1.0, 2.0, 3.0]], requires_grad=True)
torch.gather(t, 1, torch.tensor([[0, 0, 2]])).sum().backward()
print(t.grad)
#> tensor([[2., 0., 1.]])

src = torch.tensor([5.0, 6.0], requires_grad=True)
out = torch.zeros(3).scatter(0, torch.tensor([2, 0]), src)
(out * torch.tensor([1.0, 10.0, 100.0])).sum().backward()
print(src.grad)
#> tensor([100.,   1.])

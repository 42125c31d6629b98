"""The errors of a convolution, an activation and a pooling, from the last layer to the first."""

import torch
import torch.nn.functional as F

x = torch.tensor([[[[1.0, 2.0, 0.0], [0.0, 1.0, 3.0], [2.0, 1.0, 0.0]]]], requires_grad=True)
w = torch.tensor([[[[1.0, -1.0], [0.0, 1.0]]]], requires_grad=True)
z = F.conv2d(x, w)
a = F.relu(z)
p = F.max_pool2d(a, 2)
z.retain_grad()
a.retain_grad()
p.sum().backward()
print(z.detach()[0, 0])
#> tensor([[ 0.,  5.],
#>         [ 0., -2.]])
print(a.grad[0, 0])
#> tensor([[0., 1.],
#>         [0., 0.]])
print(z.grad[0, 0])
#> tensor([[0., 1.],
#>         [0., 0.]])
print(x.grad[0, 0])
#> tensor([[ 0.,  1., -1.],
#>         [ 0.,  0.,  1.],
#>         [ 0.,  0.,  0.]])
print(w.grad[0, 0])
#> tensor([[2., 0.],
#>         [1., 3.]])

"""One convolution, one activation, one pooling: the error of every stage, from the back to the front."""

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

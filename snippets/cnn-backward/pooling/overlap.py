"""If windows overlap, an element that is the maximum of two windows receives two errors."""

import torch
import torch.nn.functional as F

x = torch.tensor([[[1.0, 9.0, 2.0, 3.0]]], requires_grad=True)
y = F.max_pool1d(x, kernel_size=2, stride=1)
print(y)
#> tensor([[[9., 9., 3.]]], grad_fn=<SqueezeBackward1>)
y.sum().backward()
print(x.grad)
#> tensor([[[0., 2., 0., 1.]]])

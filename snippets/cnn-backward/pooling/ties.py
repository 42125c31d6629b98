"""If two elements of a window are equal, the first receives the whole error."""

import torch
import torch.nn.functional as F

x = torch.tensor([[[[6.0, 1.0], [1.0, 6.0]]]], requires_grad=True)
F.max_pool2d(x, 2).sum().backward()
print(x.grad)
#> tensor([[[[1., 0.],
#>           [0., 0.]]]])

x.grad = None
x.max().backward()
print(x.grad)
#> tensor([[[[0.5000, 0.0000],
#>           [0.0000, 0.5000]]]])

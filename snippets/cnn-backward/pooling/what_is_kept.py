"""The node saves the position of each maximum, but doesn't need its value."""

import torch
import torch.nn.functional as F

x = torch.tensor([[[[1.0, 1.0, 0.0, 2.0], [5.0, 6.0, 7.0, 3.0]]]], requires_grad=True)
y, indices = F.max_pool2d(x, 2, return_indices=True)
print(indices)
#> tensor([[[[5, 6]]]])
with torch.no_grad():
    y.zero_()
y.sum().backward()
print(x.grad)
#> tensor([[[[0., 0., 0., 0.],
#>           [0., 1., 1., 0.]]]])

"""Without the turn, or without the padding, the error is another one."""

import torch
import torch.nn.functional as F

w = torch.tensor([[[[1.0, 2.0], [3.0, 4.0]]]])
delta = torch.tensor([[[[1.0, 0.0], [0.0, 10.0]]]])
print(F.conv2d(F.pad(delta, (1, 1, 1, 1)), w))
#> tensor([[[[ 4.,  3.,  0.],
#>           [ 2., 41., 30.],
#>           [ 0., 20., 10.]]]])
print(F.conv2d(delta, w.flip(2, 3)))
#> tensor([[[[14.]]]])

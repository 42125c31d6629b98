"""Without the rotation or without the padding, the error of the input is wrong."""

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

# With both, the nine numbers are those of autograd.
print(F.conv2d(F.pad(delta, (1, 1, 1, 1)), w.flip(2, 3)))
#> tensor([[[[ 1.,  2.,  0.],
#>           [ 3., 14., 20.],
#>           [ 0., 30., 40.]]]])
x = torch.zeros(1, 1, 3, 3, requires_grad=True)
F.conv2d(x, w).backward(delta)
print(x.grad)
#> tensor([[[[ 1.,  2.,  0.],
#>           [ 3., 14., 20.],
#>           [ 0., 30., 40.]]]])

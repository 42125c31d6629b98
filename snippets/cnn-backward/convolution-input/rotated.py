"""The error of the input is the padded error of the output, convolved with the kernel rotated by 180 degrees."""
# covers: cnn.conv-input-error

import torch
import torch.nn.functional as F

x = torch.arange(9.0).reshape(1, 1, 3, 3).requires_grad_()
w = torch.tensor([[[[1.0, 2.0], [3.0, 4.0]]]])
delta = torch.tensor([[[[1.0, 0.0], [0.0, 10.0]]]])

F.conv2d(x, w).backward(delta)
print(x.grad)
#> tensor([[[[ 1.,  2.,  0.],
#>           [ 3., 14., 20.],
#>           [ 0., 30., 40.]]]])

rot180 = w.flip(2, 3)
print(rot180)
#> tensor([[[[4., 3.],
#>           [2., 1.]]]])
print(F.conv2d(F.pad(delta, (1, 1, 1, 1)), rot180))
#> tensor([[[[ 1.,  2.,  0.],
#>           [ 3., 14., 20.],
#>           [ 0., 30., 40.]]]])

"""The gradients of a convolution on a picture that is small enough to be checked by eye."""
# covers: function.conv2d

import torch
import torch.nn.functional as F

x = torch.tensor([[[[1.0, 2.0, 0.0], [0.0, 1.0, 3.0], [2.0, 0.0, 1.0]]]])
w = torch.tensor([[[[1.0, 2.0], [3.0, 4.0]]]])
arrived = torch.tensor([[[[1.0, 0.0], [0.0, 2.0]]]])

print(F.conv2d(x, w)[0, 0])
#> tensor([[ 9., 17.],
#>         [ 8., 11.]])
print(F.conv_transpose2d(arrived, w)[0, 0])  # to the input
#> tensor([[1., 2., 0.],
#>         [3., 6., 4.],
#>         [0., 6., 8.]])
print(F.conv2d(x, arrived)[0, 0])  # to the kernel
#> tensor([[3., 8.],
#>         [0., 3.]])

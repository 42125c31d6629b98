"""A stride of two becomes a stride in the gradient of the input and a dilation in that of the kernel."""
# covers: function.conv2d

import torch
import torch.nn.functional as F

x = torch.arange(25.0).reshape(1, 1, 5, 5)
w = torch.tensor([[[[1.0, 2.0], [3.0, 4.0]]]])
arrived = torch.tensor([[[[1.0, 0.0], [0.0, 2.0]]]])

print(F.conv2d(x, w, stride=2)[0, 0])
#> tensor([[ 41.,  61.],
#>         [141., 161.]])
print(F.conv_transpose2d(arrived, w, stride=2)[0, 0])  # to the input, less a row and a column
#> tensor([[1., 2., 0., 0.],
#>         [3., 4., 0., 0.],
#>         [0., 0., 2., 4.],
#>         [0., 0., 6., 8.]])
print(F.conv2d(x, arrived, dilation=2)[0, 0])  # to the kernel, and more than it
#> tensor([[24., 27., 30.],
#>         [39., 42., 45.],
#>         [54., 57., 60.]])

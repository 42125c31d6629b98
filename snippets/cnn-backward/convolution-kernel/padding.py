"""If a layer pads its input, the gradient of its kernel is computed from the padded input."""
# covers: cnn.conv-weight-grad

import torch
import torch.nn.functional as F

x = torch.arange(1.0, 5.0).reshape(1, 1, 2, 2)
w = torch.zeros(1, 1, 3, 3, requires_grad=True)
delta = torch.tensor([[[[1.0, 2.0], [3.0, 4.0]]]])
F.conv2d(x, w, padding=1).backward(delta)
print(w.grad)
#> tensor([[[[ 4., 11.,  6.],
#>           [14., 30., 14.],
#>           [ 6., 11.,  4.]]]])
print(F.conv2d(F.pad(x, (1, 1, 1, 1)), delta))
#> tensor([[[[ 4., 11.,  6.],
#>           [14., 30., 14.],
#>           [ 6., 11.,  4.]]]])
print(F.conv2d(x, delta))
#> tensor([[[[30.]]]])

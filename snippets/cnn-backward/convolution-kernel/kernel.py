"""The gradient of the kernel is the input, correlated with the error of the output."""
# covers: cnn.conv-weight-grad

import torch
import torch.nn.functional as F

x = torch.arange(9.0).reshape(1, 1, 3, 3)
w = torch.zeros(1, 1, 2, 2, requires_grad=True)
delta = torch.tensor([[[[1.0, 0.0], [0.0, 10.0]]]])
F.conv2d(x, w).backward(delta)
print(w.grad)
#> tensor([[[[40., 51.],
#>           [73., 84.]]]])
print(F.conv2d(x, delta))
#> tensor([[[[40., 51.],
#>           [73., 84.]]]])

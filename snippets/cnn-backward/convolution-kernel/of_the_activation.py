"""The gradient of the kernel contains the input of its layer, which is the result of the activation before it."""
# covers: cnn.conv-weight-grad

import torch
import torch.nn.functional as F

z = torch.tensor([[[[-1.0, 2.0, 3.0], [4.0, -5.0, 6.0]]]])  # the layer before, before its activation
w = torch.zeros(1, 1, 1, 2, requires_grad=True)
delta = torch.tensor([[[[1.0, 10.0], [100.0, 1000.0]]]])

F.conv2d(torch.relu(z), w).backward(delta)
print(w.grad)
#> tensor([[[[ 420., 6032.]]]])
print(F.conv2d(torch.relu(z), delta))
#> tensor([[[[ 420., 6032.]]]])
print(F.conv2d(z, delta))
#> tensor([[[[-4581.,  5532.]]]])

"""The batch takes the place of the input channels, so the sum runs over the samples."""
# covers: cnn.conv-weight-grad

import torch
import torch.nn.functional as F

torch.manual_seed(0)
x = torch.randn(5, 3, 6, 6, dtype=torch.float64)
w = torch.randn(4, 3, 3, 3, dtype=torch.float64, requires_grad=True)
y = F.conv2d(x, w)
delta = torch.randn_like(y)
y.backward(delta)
gradient = F.conv2d(x.transpose(0, 1), delta.transpose(0, 1)).transpose(0, 1)
print(gradient.shape, torch.allclose(gradient, w.grad))
#> torch.Size([4, 3, 3, 3]) True

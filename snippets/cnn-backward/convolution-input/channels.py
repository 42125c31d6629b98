"""With channels, the two channel axes of the kernel are exchanged, and the sum runs over the output channels."""
# covers: cnn.conv-input-error

import torch
import torch.nn.functional as F

torch.manual_seed(0)
x = torch.randn(2, 3, 6, 5, dtype=torch.float64, requires_grad=True)
w = torch.randn(4, 3, 3, 2, dtype=torch.float64)
y = F.conv2d(x, w)
delta = torch.randn_like(y)
y.backward(delta)
error = F.conv2d(F.pad(delta, (1, 1, 2, 2)), w.flip(2, 3).transpose(0, 1))
print(error.shape, torch.allclose(error, x.grad))
#> torch.Size([2, 3, 6, 5]) True

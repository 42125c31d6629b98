"""The bias is added at every position of every sample, so its gradient is the sum over all of them."""
# covers: cnn.conv-bias-grad

import torch
import torch.nn.functional as F

torch.manual_seed(0)
x = torch.randn(2, 1, 4, 4)
w = torch.randn(3, 1, 3, 3)
b = torch.zeros(3, requires_grad=True)
y = F.conv2d(x, w, b)
delta = torch.ones_like(y)
y.backward(delta)
print(y.shape, b.grad)
#> torch.Size([2, 3, 2, 2]) tensor([8., 8., 8.])
print(delta[0].sum(dim=(1, 2)))
#> tensor([4., 4., 4.])
print(delta.sum(dim=(0, 2, 3)))
#> tensor([8., 8., 8.])

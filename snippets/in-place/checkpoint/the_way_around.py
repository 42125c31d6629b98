"""A skip connection reads the tensor that an in-place ReLU has overwritten."""

import torch
import torch.nn.functional as F

x = torch.tensor([-1.0, 2.0], requires_grad=True)
h = x * 3
y = F.relu(h, inplace=True) + h  # the layer, and the way around it

y.sum().backward()
print(x.grad)
#> tensor([0., 6.])

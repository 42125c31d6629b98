"""From layer to layer, the error is also multiplied by the derivative of the activation between them."""

import torch
import torch.nn.functional as F

z = torch.tensor([[[[-1.0, 2.0, 3.0]]]], requires_grad=True)
w = torch.tensor([[[[1.0, 2.0]]]])
delta = torch.tensor([[[[1.0, 1.0]]]])
F.conv2d(F.relu(z), w).backward(delta)

convolved = F.conv2d(F.pad(delta, (1, 1)), w.flip(3))
print(convolved)
#> tensor([[[[1., 3., 2.]]]])
print(convolved * (z > 0))
#> tensor([[[[0., 3., 2.]]]])
print(z.grad)
#> tensor([[[[0., 3., 2.]]]])

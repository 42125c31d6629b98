"""An in-place `relu` works after a product with a number, but not after a sigmoid."""
# covers: inplace.why-not-supported

import torch
import torch.nn.functional as F

x = torch.tensor([-1.0, 2.0], requires_grad=True)

h = x * 3
y = F.relu(h, inplace=True)
print(y is h)
#> True
y.sum().backward()
print(x.grad)
#> tensor([0., 3.])

h = torch.sigmoid(x)
y = F.relu(h, inplace=True)
y.sum().backward()
#! RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: ...

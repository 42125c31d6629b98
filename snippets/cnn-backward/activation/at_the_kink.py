"""At 0 `relu` has no derivative, and PyTorch uses 0. For `leaky_relu` it uses the derivative of the left side."""

import torch
import torch.nn.functional as F

z = torch.tensor([-1.0, 0.0, 1.0], requires_grad=True)
print(torch.autograd.grad(F.relu(z).sum(), z))
#> (tensor([0., 0., 1.]),)
print(torch.autograd.grad(F.leaky_relu(z, 0.1).sum(), z))
#> (tensor([0.1000, 0.1000, 1.0000]),)
print(torch.autograd.grad(z.abs().sum(), z))
#> (tensor([-1.,  0.,  1.]),)

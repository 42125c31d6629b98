"""The gradient of a convolution's bias, with and without a mean over the picture behind it."""

import torch
import torch.nn.functional as F

kernel = torch.zeros(1, 1, 3, 3)
bias = torch.zeros(1, requires_grad=True)


def gradient(size, last_layer):
    picture = torch.ones(1, 1, size, size)
    y = last_layer(F.conv2d(picture, kernel, bias, padding=1))
    return torch.autograd.grad(y.sum(), bias)[0].item()


print([gradient(size, lambda y: y) for size in (8, 16)])
#> [64.0, 256.0]
print([gradient(size, lambda y: F.avg_pool2d(y, y.shape[-1])) for size in (8, 16)])
#> [1.0, 1.0]

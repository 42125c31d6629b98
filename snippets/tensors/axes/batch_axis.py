"""A convolution accepts one image without a batch axis, but `BatchNorm2d` does not."""
# covers: tensor-ops.squeeze-batch-dim

import torch

image = torch.zeros(3, 8, 8)
conv = torch.nn.Conv2d(3, 6, 5)
print(conv(image).shape)
#> torch.Size([6, 4, 4])

norm = torch.nn.BatchNorm2d(3)
print(norm(image.unsqueeze(0)).shape)
#> torch.Size([1, 3, 8, 8])
norm(image)
#! ValueError: expected 4D input (got 3D input)

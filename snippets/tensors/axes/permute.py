"""`permute` puts all axes into a new order."""
# covers: tensor-ops.permute

import torch

image = torch.zeros(4, 6, 3)
print(image.permute(2, 0, 1).shape)
#> torch.Size([3, 4, 6])
print(image.permute(2, 0, 1).stride())
#> (1, 18, 3)
image.permute(2, 0)
#! RuntimeError: permute(sparse_coo): number of dimensions in the tensor input does not match ...

"""`squeeze` removes axes of size 1."""
# covers: tensor-ops.table.squeeze

import torch

batch = torch.zeros(1, 3, 224, 224)
print(batch.squeeze().shape)
#> torch.Size([3, 224, 224])
print(batch.squeeze(0).shape)
#> torch.Size([3, 224, 224])
print(batch.squeeze(1).shape)
#> torch.Size([1, 3, 224, 224])

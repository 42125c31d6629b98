"""One picture without a batch: which layers take it."""
# covers: module.minibatch-only

import torch
from torch import nn

picture = torch.rand(3, 8, 8)
print(nn.Conv2d(3, 6, 3)(picture).shape)
#> torch.Size([6, 6, 6])
print(nn.MaxPool2d(2)(picture).shape)
#> torch.Size([3, 4, 4])
print(nn.ReLU()(picture).shape)
#> torch.Size([3, 8, 8])
print(nn.Linear(8, 4)(picture).shape)
#> torch.Size([3, 8, 4])

nn.BatchNorm2d(3)(picture)
#! ValueError: expected 4D input (got 3D input)

nn.Conv2d(3, 6, 3)(picture[0])
#! RuntimeError: Expected 3D (unbatched) or 4D (batched) input to conv2d, but got input of size: [8, 8]

batch = picture.unsqueeze(0)
print(batch.shape)
#> torch.Size([1, 3, 8, 8])
print(nn.Conv2d(3, 6, 3)(batch).shape, nn.BatchNorm2d(3)(batch).shape)
#> torch.Size([1, 6, 6, 6]) torch.Size([1, 3, 8, 8])

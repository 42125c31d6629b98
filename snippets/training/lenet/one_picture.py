"""Most layers accept one picture without a batch axis."""
# covers: module.minibatch-only

import torch
from torch import nn

picture = torch.rand(3, 8, 8)
for layer in nn.Conv2d(3, 6, 3), nn.MaxPool2d(2), nn.ReLU(), nn.Linear(8, 4):
    print(type(layer).__name__, layer(picture).shape)
#> Conv2d torch.Size([6, 6, 6])
#> MaxPool2d torch.Size([3, 4, 4])
#> ReLU torch.Size([3, 8, 8])
#> Linear torch.Size([3, 8, 4])

try:
    nn.BatchNorm2d(3)(picture)
except ValueError as error:
    print(error)
#> expected 4D input (got 3D input)

batch = picture.unsqueeze(0)
print(batch.shape)
#> torch.Size([1, 3, 8, 8])
print(nn.Conv2d(3, 6, 3)(batch).shape, nn.BatchNorm2d(3)(batch).shape)
#> torch.Size([1, 6, 6, 6]) torch.Size([1, 3, 8, 8])

nn.Conv2d(3, 6, 3)(picture[0])
#! RuntimeError: Expected 3D (unbatched) or 4D (batched) input to conv2d, but got input of size: [8, 8]

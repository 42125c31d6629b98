"""The modes are `bilinear`, `nearest` and `bicubic`, but not `trilinear`."""
# covers: cnn.grid-sample

import torch
import torch.nn.functional as F

volume = torch.arange(8.0).view(1, 1, 2, 2, 2)
grid = torch.zeros(1, 1, 1, 1, 3)
print(F.grid_sample(volume, grid, mode="bilinear", align_corners=True))
#> tensor([[[[[3.5000]]]]])
F.grid_sample(volume, grid, mode="trilinear", align_corners=True)
#! ValueError: nn.functional.grid_sample(): expected mode to be 'bilinear', 'nearest' or 'bicubic', but got: 'trilinear'

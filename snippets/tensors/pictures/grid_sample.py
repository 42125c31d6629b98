"""`grid_sample` reads a picture at positions (x, y) from -1 to 1."""
# covers: cnn.grid-sample

import torch
import torch.nn.functional as F

image = torch.tensor([[[[0.0, 10.0], [20.0, 30.0]]]])
grid = torch.tensor([[[[-1.0, -1.0], [1.0, -1.0], [0.0, 0.0]]]])
print(image.shape, grid.shape)
#> torch.Size([1, 1, 2, 2]) torch.Size([1, 1, 3, 2])
print(F.grid_sample(image, grid, align_corners=True))
#> tensor([[[[ 0., 10., 15.]]]])

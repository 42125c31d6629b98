"""Rotate a picture by 90 degrees with `affine_grid` and `grid_sample`."""
# covers: cnn.affine-grid

import torch
import torch.nn.functional as F

image = torch.arange(9.0).view(1, 1, 3, 3)
turn = torch.tensor([[[0.0, -1.0, 0.0], [1.0, 0.0, 0.0]]])
grid = F.affine_grid(turn, size=(1, 1, 3, 3), align_corners=True)
print(F.grid_sample(image, grid, align_corners=True))
#> tensor([[[[2., 5., 8.],
#>           [1., 4., 7.],
#>           [0., 3., 6.]]]])
print(torch.rot90(image, 1, (2, 3)))
#> tensor([[[[2., 5., 8.],
#>           [1., 4., 7.],
#>           [0., 3., 6.]]]])

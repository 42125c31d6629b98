"""`affine_grid` computes from a 2 x 3 matrix the positions that `grid_sample` reads."""
# covers: cnn.affine-grid

import torch
import torch.nn.functional as F

same = torch.tensor([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]])
grid = F.affine_grid(same, size=(1, 1, 2, 2), align_corners=True)
print(grid.shape)
#> torch.Size([1, 2, 2, 2])
print(grid)
#> tensor([[[[-1., -1.],
#>           [ 1., -1.]],
#>
#>          [[-1.,  1.],
#>           [ 1.,  1.]]]])

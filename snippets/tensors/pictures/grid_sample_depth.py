"""In a volume, the third number of a position is the depth."""
# covers: cnn.grid-sample

import torch
import torch.nn.functional as F

volume = torch.stack((torch.zeros(2, 2), torch.full((2, 2), 100.0))).view(1, 1, 2, 2, 2)
grid = torch.tensor([[0.0, 0.0, -1.0], [0.0, 0.0, 1.0], [1.0, 1.0, 0.0]]).view(1, 1, 1, 3, 3)
print(F.grid_sample(volume, grid, align_corners=True))
#> tensor([[[[[  0., 100.,  50.]]]]])

"""Without `align_corners`, PyTorch warns that its default has changed."""
# covers: cnn.grid-sample

import torch
import torch.nn.functional as F

image = torch.tensor([[[[4.0, 14.0], [24.0, 34.0]]]])
corner = torch.tensor([[[[-1.0, -1.0]]]])
print(F.grid_sample(image, corner))
#> tensor([[[[1.]]]])
#~ UserWarning: Default grid_sample and affine_grid behavior has changed to align_corners=False since 1.3.0. ...
print(F.grid_sample(image, corner, align_corners=False))
#> tensor([[[[1.]]]])
print(F.grid_sample(image, corner, align_corners=True))
#> tensor([[[[4.]]]])

"""Without `align_corners` there is a warning: the default changed in 1.3."""
# covers: cnn.grid-sample

import torch
import torch.nn.functional as F

image = torch.tensor([[[[0.0, 10.0], [20.0, 30.0]]]])
corner = torch.tensor([[[[-1.0, -1.0]]]])
print(F.grid_sample(image, corner))
#> tensor([[[[0.]]]])
#~ UserWarning: Default grid_sample and affine_grid behavior has changed to align_corners=False since 1.3.0. ...
print(F.grid_sample(image + 4, corner, align_corners=False))
#> tensor([[[[1.]]]])
print(F.grid_sample(image + 4, corner, align_corners=True))
#> tensor([[[[4.]]]])

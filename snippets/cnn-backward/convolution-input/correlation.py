"""`conv1d` doesn't rotate its kernel, so it computes a correlation."""

import torch
import torch.nn.functional as F

x = torch.tensor([[[0.0, 0.0, 1.0, 0.0, 0.0]]])
w = torch.tensor([[[1.0, 2.0, 3.0]]])
print(F.conv1d(x, w))
#> tensor([[[3., 2., 1.]]])
print(F.conv1d(x, w.flip(2)))
#> tensor([[[1., 2., 3.]]])

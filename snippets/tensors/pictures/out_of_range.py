"""`astype` cuts fractions off, and values above 1 overflow."""

import numpy as np
import torch

x = torch.tensor([0.0, 0.5, 0.999, 1.0, 1.01, 1.1])
print((x.numpy() * 255.0).astype(np.uint8))
#> [  0 127 254 255   1  24]
print((x.numpy() * 255.0).round().clip(0, 255).astype(np.uint8))
#> [  0 128 255 255 255 255]
print(x.mul(255).round().clamp(0, 255).to(torch.uint8))
#> tensor([  0, 128, 255, 255, 255, 255], dtype=torch.uint8)

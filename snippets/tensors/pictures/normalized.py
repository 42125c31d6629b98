"""Undo the normalization of a picture before it is converted."""

import numpy as np
import torch

mean = torch.tensor([0.485, 0.456, 0.406]).view(3, 1, 1)
std = torch.tensor([0.229, 0.224, 0.225]).view(3, 1, 1)
picture = torch.tensor([0.25, 0.5, 0.75]).view(1, 3, 1, 1)
x = (picture - mean) / std

back = (x * std + mean).clamp(0, 1)
print((back[0].numpy().transpose(1, 2, 0) * 255.0).round().astype(np.uint8))
#> [[[ 64 128 191]]]

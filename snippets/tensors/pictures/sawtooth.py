"""Bytes of brightness from -0.5 to 1.5, with and without clipping."""

import numpy as np
import torch

brightness = torch.linspace(-0.5, 1.5, 201)
scaled = (brightness.numpy() * 255.0).round()
wrapped = scaled.astype(np.int64).astype(np.uint8).tolist()  # negative floats to bytes: each machine as it likes
clipped = scaled.clip(0, 255).astype(np.uint8).tolist()
print(wrapped[40], wrapped[170])
#> 230 50
print(clipped[40], clipped[170])
#> 0 255

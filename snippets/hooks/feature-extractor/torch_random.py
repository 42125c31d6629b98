"""`torch.random` is a module; the function is `torch.rand`."""
# covers: hooks.feature-extractor.torch-random

import torch

torch.random(1, 3, 256, 256)
#! TypeError: 'module' object is not callable

print(torch.rand(1, 3, 256, 256).shape)
#> torch.Size([1, 3, 256, 256])

"""The function is `torch.rand`; `torch.random` is a module."""
# covers: hooks.feature-extractor.torch-random

import torch

print(torch.rand(1, 3, 256, 256).shape)
#> torch.Size([1, 3, 256, 256])

torch.random(1, 3, 256, 256)
#! TypeError: 'module' object is not callable

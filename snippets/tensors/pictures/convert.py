"""Convert a picture from a network to an array for picture libraries."""
# covers: debug.tensor-to-image

import numpy as np
import torch

# region: steps
x = torch.rand(1, 3, 720, 1280, requires_grad=True)
image = x[0].detach().cpu().numpy()
print(image.shape, image.dtype)
#> (3, 720, 1280) float32
image = image.transpose(1, 2, 0)
print(image.shape)
#> (720, 1280, 3)
image = (image * 255.0).astype(np.uint8)
print(image.shape, image.dtype)
#> (720, 1280, 3) uint8
# endregion
# region: unchanged
print(x.requires_grad, x.shape)
#> True torch.Size([1, 3, 720, 1280])
# endregion
# region: needed
x[0].numpy()
#! RuntimeError: Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.
# endregion

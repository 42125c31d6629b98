"""A scanned zero: eight rows of eight numbers."""
# covers: tensor-props.definition tensor-props.role tensor-create.from-numpy

import torch
from sklearn.datasets import load_digits

images = torch.from_numpy(load_digits().images).float() / 16
picture = images[0]
print(images.shape, picture.shape, picture.dtype)
#> torch.Size([1797, 8, 8]) torch.Size([8, 8]) torch.float32
print((picture * 16).int())
#> tensor([[ 0,  0,  5, 13,  9,  1,  0,  0],
#>         [ 0,  0, 13, 15, 10, 15,  5,  0],
#>         [ 0,  3, 15,  2,  0, 11,  8,  0],
#>         [ 0,  4, 12,  0,  0,  8,  8,  0],
#>         [ 0,  5,  8,  0,  0,  9,  8,  0],
#>         [ 0,  4, 11,  0,  1, 12,  7,  0],
#>         [ 0,  2, 14,  5, 10, 12,  0,  0],
#>         [ 0,  0,  6, 13, 10,  0,  0,  0]], dtype=torch.int32)

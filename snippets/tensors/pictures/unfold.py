"""`F.unfold` turns every patch into a column."""
# covers: tensor-ops.unfold

import torch
import torch.nn.functional as F

image = torch.arange(12.0).view(1, 1, 3, 4)
print(image)
#> tensor([[[[ 0.,  1.,  2.,  3.],
#>           [ 4.,  5.,  6.,  7.],
#>           [ 8.,  9., 10., 11.]]]])
columns = F.unfold(image, kernel_size=2)
print(columns.shape)
#> torch.Size([1, 4, 6])
print(columns)
#> tensor([[[ 0.,  1.,  2.,  4.,  5.,  6.],
#>          [ 1.,  2.,  3.,  5.,  6.,  7.],
#>          [ 4.,  5.,  6.,  8.,  9., 10.],
#>          [ 5.,  6.,  7.,  9., 10., 11.]]])

"""A small kernel detects a vertical stroke, and pooling keeps the largest sums."""
# covers: module.lenet

import torch
import torch.nn.functional as F

picture = torch.tensor(
    [
        [0.0, 0, 0, 1, 0, 0],
        [0, 0, 0, 1, 0, 0],
        [0, 0, 0, 1, 0, 0],
        [0, 0, 1, 1, 1, 0],
    ]
).reshape(1, 1, 4, 6)
kernel = torch.tensor([[-1.0, 2, -1], [-1, 2, -1], [-1, 2, -1]]).reshape(1, 1, 3, 3)

found = F.conv2d(picture, kernel)
print(found[0, 0])
#> tensor([[ 0., -3.,  6., -3.],
#>         [-1., -1.,  4., -1.]])
pooled = F.max_pool2d(F.relu(found), 2)
print(pooled[0, 0])
#> tensor([[0., 6.]])

"""A black picture, changed step by step so that its pooled values grow."""

import torch
import torch.nn.functional as F

picture = torch.zeros(1, 1, 2, 4, requires_grad=True)
for step in range(3):
    F.max_pool2d(picture, 2).sum().backward()
    with torch.no_grad():
        picture += picture.grad
        picture.grad = None
print(picture.detach()[0, 0])
#> tensor([[3., 0., 3., 0.],
#>         [0., 0., 0., 0.]])

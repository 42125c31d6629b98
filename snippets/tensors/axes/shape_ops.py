"""`reshape`, `transpose` and `permute` change the shape in three ways."""
# covers: tensor-ops.shape-ops

import torch

t = torch.arange(6).view(1, 2, 3)
print(t.reshape(3, 2))
#> tensor([[0, 1],
#>         [2, 3],
#>         [4, 5]])
print(t.transpose(1, 2))
#> tensor([[[0, 3],
#>          [1, 4],
#>          [2, 5]]])
print(t.permute(2, 0, 1).shape)
#> torch.Size([3, 1, 2])

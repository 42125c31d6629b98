"""`t` transposes a matrix and returns a vector unchanged."""
# covers: tensor-ops.table.t

import torch

print(torch.tensor([[1, 2, 3], [4, 5, 6]]).t())
#> tensor([[1, 4],
#>         [2, 5],
#>         [3, 6]])
print(torch.tensor([1, 2, 3]).t())
#> tensor([1, 2, 3])

batch = torch.zeros(2, 3, 4)
print(batch.mT.shape)
#> torch.Size([2, 4, 3])
batch.t()
#! RuntimeError: t() expects a tensor with <= 2 dimensions, but self is 3D

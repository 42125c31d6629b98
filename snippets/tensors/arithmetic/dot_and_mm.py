"""`dot` takes two vectors, `mm` two matrices, and neither takes anything else."""
# covers: tensor-ops.math

import torch

v = torch.tensor([1.0, 2.0, 3.0])
a = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
print(torch.dot(v, v))
#> tensor(14.)
print(torch.mm(a, a))
#> tensor([[ 7., 10.],
#>         [15., 22.]])
torch.dot(a, a)
#! RuntimeError: 1D tensors expected, but got 2D and 2D tensors
torch.mm(a, torch.ones(2))
#! RuntimeError: mat2 must be a matrix

"""`matmul`, written `@`, multiplies vectors, matrices and batches."""
# covers: tensor-ops.math

import torch

v = torch.tensor([1.0, 2.0])
a = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
print(v @ v)
#> tensor(5.)
print(a @ v)
#> tensor([ 5., 11.])
print(a @ a)
#> tensor([[ 7., 10.],
#>         [15., 22.]])
print((torch.ones(5, 2, 3) @ torch.ones(3, 4)).shape)
#> torch.Size([5, 2, 4])

"""`dot` takes two vectors and `mm` two matrices, and they refuse other shapes."""
# covers: tensor-ops.math

import torch

v = torch.tensor([1.0, 2.0, 3.0])
a = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
print(torch.dot(v, v))
#> tensor(14.)
print(torch.mm(a, a))
#> tensor([[ 7., 10.],
#>         [15., 22.]])

for product, left, right in (torch.dot, a, a), (torch.mm, a, torch.ones(2)):
    try:
        product(left, right)
    except RuntimeError as error:
        print(error)
#> 1D tensors expected, but got 2D and 2D tensors
#> mat2 must be a matrix

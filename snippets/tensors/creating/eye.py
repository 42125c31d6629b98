"""`eye` has ones on the diagonal, square or not."""
# covers: tensor-create.eye

import torch

print(torch.eye(3))
#> tensor([[1., 0., 0.],
#>         [0., 1., 0.],
#>         [0., 0., 1.]])
print(torch.eye(3, 4))
#> tensor([[1., 0., 0., 0.],
#>         [0., 1., 0., 0.],
#>         [0., 0., 1., 0.]])

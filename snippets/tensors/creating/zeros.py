"""`zeros` creates a tensor of a given size, filled with 0."""
# covers: tensor-create.zeros

import torch

print(torch.zeros(2, 3))
#> tensor([[0., 0., 0.],
#>         [0., 0., 0.]])
print(torch.zeros((2, 3)).dtype)
#> torch.float32
print(torch.zeros(2, 3, dtype=torch.int64))
#> tensor([[0, 0, 0],
#>         [0, 0, 0]])
print(torch.ones(2))
#> tensor([1., 1.])

"""Labels 0, 1, 2 become the rows of the identity matrix."""
# covers: scatter.case3-onehot

import torch

label = torch.arange(3).view(-1, 1)
print(label)
#> tensor([[0],
#>         [1],
#>         [2]])
print(torch.zeros(3, 3).scatter_(1, label, 1))
#> tensor([[1., 0., 0.],
#>         [0., 1., 0.],
#>         [0., 0., 1.]])

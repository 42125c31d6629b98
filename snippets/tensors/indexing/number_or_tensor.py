"""`scatter_` writes a number or the elements of a tensor."""
# covers: scatter.case3-onehot

import torch

label = torch.tensor([[2], [0], [2]])
print(torch.zeros(3, 3).scatter_(1, label, value=1))
#> tensor([[0., 0., 1.],
#>         [1., 0., 0.],
#>         [0., 0., 1.]])
print(torch.zeros(3, 3).scatter_(1, label, torch.ones(3, 1)))
#> tensor([[0., 0., 1.],
#>         [1., 0., 0.],
#>         [0., 0., 1.]])

"""One-hot vectors of the labels 2, 0, 2 along both axes."""
# covers: scatter.case3-onehot

import torch

label = torch.tensor([[2], [0], [2]])
print(torch.zeros(3, 3).scatter_(1, label, 1))
#> tensor([[0., 0., 1.],
#>         [1., 0., 0.],
#>         [0., 0., 1.]])
print(torch.zeros(3, 3).scatter_(0, label.t(), 1))
#> tensor([[0., 1., 0.],
#>         [0., 0., 0.],
#>         [1., 0., 1.]])

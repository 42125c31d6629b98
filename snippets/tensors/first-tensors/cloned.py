"""`clone` copies the numbers to a strip of their own."""

import torch
from sklearn.datasets import load_digits

images = torch.from_numpy(load_digits().images).float() / 16
middle = images[0][3:5, 3:5].clone()
middle[:] = 1
print(middle)
#> tensor([[1., 1.],
#>         [1., 1.]])
print(images[0][3:5, 3:5])
#> tensor([[0., 0.],
#>         [0., 0.]])

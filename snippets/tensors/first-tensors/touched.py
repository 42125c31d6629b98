"""A write through one window shows in all of them."""
# covers: tensor-ops.indexing

import torch
from sklearn.datasets import load_digits

images = torch.from_numpy(load_digits().images).float() / 16
turned = images[0].t()
middle = images[0][3:5, 3:5]
print(turned[3, 4])
#> tensor(0.)
middle[:] = 1
print(turned[3, 4])
#> tensor(1.)

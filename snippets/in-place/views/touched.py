"""A write to one view shows in every tensor that shares its storage."""
# covers: tensor-ops.indexing

import torch
from sklearn.datasets import load_digits

images = torch.from_numpy(load_digits().images).float() / 16
scan = images[0].clone()  # a copy, to compare with later
turned = images[0].t()
middle = images[0][3:5, 3:5]
print(turned[3, 4])
#> tensor(0.)
middle[:] = 1
print(turned[3, 4])
#> tensor(1.)

"""A piece of a picture, its middle and its transpose share one storage."""
# covers: tensor-ops.indexing tensor-ops.table.t

import torch
from sklearn.datasets import load_digits

picture = torch.from_numpy(load_digits().images[0]).int()
patch = picture[2:6, 2:6].clone()  # a storage of its own
middle = patch[1:3, 1:3]
turned = patch.t()
for tensor in (patch, middle, turned):
    print(tuple(tensor.shape), tensor.stride(), tensor.storage_offset())
#> (4, 4) (4, 1) 0
#> (2, 2) (4, 1) 5
#> (4, 4) (1, 4) 0

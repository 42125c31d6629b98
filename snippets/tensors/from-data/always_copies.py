"""`torch.tensor` copies, and `as_tensor` and `from_numpy` share."""
# covers: tensor-create.tensor tensor-create.from-numpy

import numpy as np
import torch

array = np.array([1, 2, 3], dtype=np.int64)
copied = torch.tensor(array)
shared = torch.from_numpy(array)
also_shared = torch.as_tensor(array)
array[0] = 100
print(copied)
#> tensor([1, 2, 3])
print(shared)
#> tensor([100,   2,   3])
print(also_shared)
#> tensor([100,   2,   3])

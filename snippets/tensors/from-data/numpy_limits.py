"""An array with a negative stride cannot be shared."""
# covers: tensor-create.from-numpy

import numpy as np
import torch

backwards = np.arange(4, dtype=np.int64)[::-1]
print(torch.from_numpy(backwards.copy()))
#> tensor([3, 2, 1, 0])
torch.from_numpy(backwards)
#! ValueError: At least one stride in the given numpy array is negative, ...

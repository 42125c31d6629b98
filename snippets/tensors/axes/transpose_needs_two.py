"""`transpose` requires two axes, and NumPy's reverses all axes by default."""
# covers: tensor-ops.table.transpose

import numpy as np
import torch

print(np.zeros((2, 3, 4)).transpose().shape)
#> (4, 3, 2)
print(torch.zeros(2, 3, 4).permute(2, 1, 0).shape)
#> torch.Size([4, 3, 2])
torch.zeros(2, 3, 4).transpose()
#! TypeError: transpose() missing 2 required positional argument: "dim0", "dim1"

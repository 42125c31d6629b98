"""`dsplit` cuts along the third axis, as NumPy's `dsplit` does."""
# covers: tensor-ops.table.dsplit

import numpy as np
import torch

t = torch.arange(8).view(1, 2, 4)
print(torch.dsplit(t, 2))
#> (tensor([[[0, 1],
#>          [4, 5]]]), tensor([[[2, 3],
#>          [6, 7]]]))
print([part.shape for part in np.dsplit(t.numpy(), [1, 3])])
#> [(1, 2, 1), (1, 2, 2), (1, 2, 1)]
print([tuple(part.shape) for part in torch.dsplit(t, [1, 3])])
#> [(1, 2, 1), (1, 2, 2), (1, 2, 1)]
torch.dsplit(t[0], 2)
#! RuntimeError: torch.dsplit requires a tensor with at least 3 dimension, but got a tensor with 2 dimensions!

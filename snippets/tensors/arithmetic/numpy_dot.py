"""NumPy's `dot` multiplies matrices, but PyTorch's does not."""

import numpy as np
import torch

array = np.array([[1.0, 2.0], [3.0, 4.0]])
print(np.dot(array, array))
#> [[ 7. 10.]
#>  [15. 22.]]
torch.dot(torch.from_numpy(array), torch.from_numpy(array))
#! RuntimeError: 1D tensors expected, but got 2D and 2D tensors

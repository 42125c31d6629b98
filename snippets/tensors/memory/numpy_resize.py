"""NumPy's `resize` changes how many numbers there are, and `view` never does."""
# covers: tensor-ops.view

import numpy as np
import torch

array = np.array([1, 2, 3])
print(np.resize(array, (2, 4)))
#> [[1 2 3 1]
#>  [2 3 1 2]]
array.resize(5, refcheck=False)
print(array)
#> [1 2 3 0 0]

print(np.array([1, 2, 3, 4]).reshape(2, 2).tolist(), torch.tensor([1, 2, 3, 4]).view(2, 2).tolist())
#> [[1, 2], [3, 4]] [[1, 2], [3, 4]]
torch.tensor([1, 2, 3]).view(5)
#! RuntimeError: shape '[5]' is invalid for input of size 3

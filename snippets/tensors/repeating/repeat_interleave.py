"""`repeat_interleave` does what NumPy calls `repeat`."""

import numpy as np
import torch

print(torch.tensor([1, 2, 3]).repeat(2))
#> tensor([1, 2, 3, 1, 2, 3])
print(np.array([1, 2, 3]).repeat(2))
#> [1 1 2 2 3 3]
print(torch.tensor([1, 2, 3]).repeat_interleave(2))
#> tensor([1, 1, 2, 2, 3, 3])

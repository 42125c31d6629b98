"""`from_numpy` shares memory, so a write on either side changes the other."""
# covers: tensor-create.from-numpy

import numpy as np
import torch

array = np.array([1.0, 2.0, 3.0])
t = torch.from_numpy(array)
array[0] = 10.0
t[1] = 20.0
print(array)
#> [10. 20.  3.]
print(t)
#> tensor([10., 20.,  3.], dtype=torch.float64)

array = array + 1
print(array)
#> [11. 21.  4.]
print(t)
#> tensor([10., 20.,  3.], dtype=torch.float64)

"""`from_numpy` keeps NumPy's `float64`, which a product with `float32` weights refuses."""
# covers: tensor-create.from-numpy

import numpy as np
import torch

x = torch.from_numpy(np.ones((1, 2)))
w = torch.ones(2, 1)
print(x.dtype, w.dtype)
#> torch.float64 torch.float32
print(x.float() @ w)
#> tensor([[2.]])
x @ w
#! RuntimeError: expected m1 and m2 to have the same dtype, but got: double != float

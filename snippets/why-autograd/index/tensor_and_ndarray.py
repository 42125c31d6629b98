"""A tensor differs from an array in more than its graph."""
# covers: theory.tensor-vs-ndarray.two-points

import numpy as np

import torch

array, tensor = np.array([1.0, 2.0]), torch.tensor([1.0, 2.0])

# 1. The default type.
print(array.dtype, tensor.dtype)
#> float64 torch.float32

# 2. A place where it lives.
print(tensor.device)
#> cpu

# 3. A record, but only when a gradient was asked for.
print((tensor * 3).grad_fn)
#> None
w = torch.tensor([1.0, 2.0], requires_grad=True)
print(type((w * 3).grad_fn).__name__)
#> MulBackward0

"""A tensor differs from an array in more than its graph."""
# covers: theory.tensor-vs-ndarray.two-points

import numpy as np

import torch

array, tensor = np.array([1.0, 2.0]), torch.tensor([1.0, 2.0])

# 1. The default type.
print(array.dtype, tensor.dtype)
#> float64 torch.float32

# 2. The device, which can also be a GPU.
print(tensor.device)
#> cpu

# 3. A node of the graph, but only if a gradient is required.
print((tensor * 3).grad_fn)
#> None
w = torch.tensor([1.0, 2.0], requires_grad=True)
print(type((w * 3).grad_fn).__name__)
#> MulBackward0

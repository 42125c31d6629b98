"""A tensor is not a NumPy array, but the two can share memory."""
# covers: theory.tensor-vs-ndarray.subclass

import numpy as np

import torch

t = torch.ones(3)
print(isinstance(t, np.ndarray))
#> False
print(issubclass(torch.Tensor, np.ndarray))
#> False

array = t.numpy()
array[0] = 7
print(t)
#> tensor([7., 1., 1.])

w = torch.ones(3, requires_grad=True)
w.numpy()
#! RuntimeError: Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.

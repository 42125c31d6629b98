"""2. A write to a NumPy array that shares memory with a tensor is not counted."""
# covers: inplace.no-error-means-right

import numpy as np

import torch

array = np.array([3.0, 4.0], dtype=np.float32)
factor = torch.from_numpy(array)
x = torch.ones(2, requires_grad=True)

loss = (x * factor).sum()
array[:] = 0  # the next batch is loaded into the same buffer
loss.backward()
print(x.grad)
#> tensor([0., 0.])

x.grad = None
array[:] = [3.0, 4.0]
loss = (x * torch.tensor(array)).sum()  # a copy
array[:] = 0
loss.backward()
print(x.grad)
#> tensor([3., 4.])

"""Some names of NumPy mean something else in PyTorch."""

import numpy as np
import torch

a, t = np.arange(4.0), torch.arange(4.0)

print(a.repeat(2), t.repeat(2))
#> [0. 0. 1. 1. 2. 2. 3. 3.] tensor([0., 1., 2., 3., 0., 1., 2., 3.])
print(np.split(a, 2), torch.split(t, 2))
#> [array([0., 1.]), array([2., 3.])] (tensor([0., 1.]), tensor([2., 3.]))
print(np.split(a, 4)[0], torch.split(t, 4)[0])
#> [0.] tensor([0., 1., 2., 3.])
print(a.std(), t.std())
#> 1.118033988749895 tensor(1.2910)
print(a.reshape(2, 2, 1).transpose().shape)
#> (1, 2, 2)
t.reshape(2, 2, 1).transpose()
#! TypeError: transpose() missing 2 required positional argument: "dim0", "dim1"

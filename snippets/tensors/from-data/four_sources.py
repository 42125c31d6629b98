"""A list, a tuple, an array and a number become tensors."""
# covers: tensor-create.tensor

import numpy as np
import torch

print(torch.tensor([[1.0, -1.0], [1.0, -1.0]]))
#> tensor([[ 1., -1.],
#>         [ 1., -1.]])
print(torch.tensor(((1, 2), (3, 4))))
#> tensor([[1, 2],
#>         [3, 4]])
print(torch.tensor(np.array([[1, 2, 3], [4, 5, 6]], dtype=np.int64)))
#> tensor([[1, 2, 3],
#>         [4, 5, 6]])
print(torch.tensor(3.14))
#> tensor(3.1400)

"""Two attributes that older lists contain no longer exist."""
# covers: debug.tensor-inspector

import torch

Q = torch.tensor(-12.0)
try:
    print(Q.is_mlc)
except AttributeError as error:
    print(error)
#> 'Tensor' object has no attribute 'is_mlc'

Q.names
#! AttributeError: 'Tensor' object has no attribute 'names'

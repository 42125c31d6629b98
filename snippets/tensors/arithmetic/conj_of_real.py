"""For a real tensor `conj` returns the tensor itself."""
# covers: tensor-ops.table.conj

import torch

r = torch.tensor([1.0, 2.0])
print(torch.conj(r) is r)
#> True
print(torch.conj(r))
#> tensor([1., 2.])

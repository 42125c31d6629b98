"""The argument `reduce` is deprecated, and `scatter_reduce_` replaces it."""
# covers: tensor-ops.table.scatter

import torch

index = torch.tensor([0, 0, 2])
src = torch.tensor([2.0, 3.0, 4.0])
print(torch.ones(3).scatter_(0, index, src, reduce="multiply"))
#> tensor([6., 1., 4.])
#~ UserWarning: The reduce argument of torch.scatter with Tensor src is deprecated and will be removed ...
print(torch.ones(3).scatter_reduce_(0, index, src, reduce="prod"))
#> tensor([6., 1., 4.])
print(torch.ones(3).scatter_reduce_(0, index, src, reduce="amax", include_self=False))
#> tensor([3., 1., 4.])

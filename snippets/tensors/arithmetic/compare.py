"""A comparison returns a tensor of booleans."""
# covers: tensor-ops.functions-groups

import torch

a = torch.tensor([1, 2, 3])
b = torch.tensor([3, 2, 1])
print(a > b)
#> tensor([False, False,  True])
print(torch.eq(a, b), torch.equal(a, b))
#> tensor([False,  True, False]) False
print(torch.maximum(a, b))
#> tensor([3, 2, 3])
print(torch.sort(torch.tensor([3, 1, 2])))
#> torch.return_types.sort(
#> values=tensor([1, 2, 3]),
#> indices=tensor([1, 2, 0]))

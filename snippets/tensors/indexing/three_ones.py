"""Change the three 1s of the call one by one."""
# covers: tensor-ops.onehot-scatter

import torch

index = torch.tensor([[[0, 1], [2, 0]]])
print(torch.zeros(1, 3, 2, 2).scatter_(1, index.unsqueeze(1), 7)[0, :, 0, 0])
#> tensor([7., 0., 0.])

for axis, places in (0, index.unsqueeze(1)), (1, index):
    try:
        torch.zeros(1, 3, 2, 2).scatter_(axis, places, 1)
    except RuntimeError as error:
        print(error)
#> index 1 is out of bounds for dimension 0 with size 1
#> Index tensor must have the same number of dimensions as self tensor

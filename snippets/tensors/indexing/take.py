"""`take` treats the tensor as one long vector, and its result has the shape of the index."""
# covers: tensor-ops.table.take

import torch

src = torch.tensor([[4, 3, 5], [6, 7, 8]])
print(torch.take(src, torch.tensor([0, 2, 5])))
#> tensor([4, 5, 8])
print(torch.take(src, torch.tensor([[0, 2], [5, -1]])))
#> tensor([[4, 5],
#>         [8, 8]])

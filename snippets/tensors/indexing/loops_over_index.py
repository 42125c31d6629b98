"""`scatter_` goes through the index, so a larger `src` is used only in part."""
# covers: scatter.formula

import torch

src = torch.tensor([[1, 2, 3, 4, 5], [6, 7, 8, 9, 10]])
t = torch.zeros(3, 5, dtype=torch.int64)
t.scatter_(0, torch.tensor([[2, 2]]), src)
print(t)
#> tensor([[0, 0, 0, 0, 0],
#>         [0, 0, 0, 0, 0],
#>         [1, 2, 0, 0, 0]])

"""Along `dim` 0 the index names the row, and the column stays."""
# covers: scatter.case1-dim0

import torch

src = torch.arange(1, 11).reshape(2, 5)
index = torch.tensor([[0, 1, 2, 0]])
t = torch.zeros(3, 5, dtype=src.dtype)
for j in range(4):
    t[index[0, j], j] = src[0, j]
    print(t)
#> tensor([[1, 0, 0, 0, 0],
#>         [0, 0, 0, 0, 0],
#>         [0, 0, 0, 0, 0]])
#> tensor([[1, 0, 0, 0, 0],
#>         [0, 2, 0, 0, 0],
#>         [0, 0, 0, 0, 0]])
#> tensor([[1, 0, 0, 0, 0],
#>         [0, 2, 0, 0, 0],
#>         [0, 0, 3, 0, 0]])
#> tensor([[1, 0, 0, 4, 0],
#>         [0, 2, 0, 0, 0],
#>         [0, 0, 3, 0, 0]])
print(torch.equal(t, torch.zeros(3, 5, dtype=src.dtype).scatter_(0, index, src)))
#> True

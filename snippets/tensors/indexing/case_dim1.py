"""Along `dim` 1 the index names the column, and the row stays."""
# covers: scatter.case2-dim1 scatter.two-questions

import torch

src = torch.arange(1, 11).reshape(2, 5)
index = torch.tensor([[0, 2, 4], [1, 2, 3]])
t = torch.zeros(3, 5, dtype=src.dtype).scatter_(1, index, src)
print(src)
#> tensor([[ 1,  2,  3,  4,  5],
#>         [ 6,  7,  8,  9, 10]])
print(t)
#> tensor([[1, 0, 2, 0, 3],
#>         [0, 6, 7, 8, 0],
#>         [0, 0, 0, 0, 0]])
for i in range(2):
    for j in range(3):
        print("row", i, "stays, column", index[i, j].item(), "gets", src[i, j].item())
#> row 0 stays, column 0 gets 1
#> row 0 stays, column 2 gets 2
#> row 0 stays, column 4 gets 3
#> row 1 stays, column 1 gets 6
#> row 1 stays, column 2 gets 7
#> row 1 stays, column 3 gets 8

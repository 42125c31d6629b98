"""For every place of index: where does it write, and what?"""
# covers: scatter.two-questions

import torch

src = torch.tensor([[10, 20], [30, 40]])
index = torch.tensor([[0, 1], [2, 0]])
for dim in (0, 1):
    for i in range(2):
        for j in range(2):
            row, column = (index[i, j].item(), j) if dim == 0 else (i, index[i, j].item())
            print("dim", dim, "index", (i, j), "writes", src[i, j].item(), "to", (row, column))
#> dim 0 index (0, 0) writes 10 to (0, 0)
#> dim 0 index (0, 1) writes 20 to (1, 1)
#> dim 0 index (1, 0) writes 30 to (2, 0)
#> dim 0 index (1, 1) writes 40 to (0, 1)
#> dim 1 index (0, 0) writes 10 to (0, 0)
#> dim 1 index (0, 1) writes 20 to (0, 1)
#> dim 1 index (1, 0) writes 30 to (1, 2)
#> dim 1 index (1, 1) writes 40 to (1, 0)

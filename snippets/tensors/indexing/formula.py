"""Loops over the index agree with `scatter_` along all three axes."""
# covers: scatter.formula

import torch

torch.manual_seed(0)
src = torch.randint(1, 10, (2, 3, 2))
index = torch.randint(0, 2, (2, 3, 2))

for dim in range(3):
    by_hand = torch.zeros(2, 3, 2, dtype=torch.int64)
    for i in range(2):
        for j in range(3):
            for k in range(2):
                place = [i, j, k]
                place[dim] = index[i, j, k].item()
                by_hand[tuple(place)] = src[i, j, k]
    result = torch.zeros(2, 3, 2, dtype=torch.int64).scatter_(dim, index, src)
    print(dim, torch.equal(by_hand, result))
#> 0 True
#> 1 True
#> 2 True

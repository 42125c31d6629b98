"""The arguments of `DataLoader` choose the batches and their order."""
# covers: data.dataloader-args

import torch
from torch.utils.data import DataLoader

data = torch.arange(5)


def batches(**arguments):
    return [batch.tolist() for batch in DataLoader(data, **arguments)]


print(batches())
#> [[0], [1], [2], [3], [4]]
print(batches(batch_size=2))
#> [[0, 1], [2, 3], [4]]
print(batches(batch_size=2, drop_last=True))
#> [[0, 1], [2, 3]]
torch.manual_seed(0)
print(batches(batch_size=2, shuffle=True))
#> [[1, 4], [2, 3], [0]]

print(batches(batch_size=3, sampler=[4, 0, 4]))
#> [[4, 0, 4]]
print(batches(batch_sampler=[[0], [1, 2, 3]]))
#> [[0], [1, 2, 3]]
print(batches(batch_size=None))
#> [0, 1, 2, 3, 4]

"""A loader is iterable; `iter` makes an iterator of it, a new one for each epoch."""
# covers: data.dataset-dataloader

import torch
from torch.utils.data import DataLoader

loader = DataLoader(torch.arange(4), batch_size=2)
next(loader)
#! TypeError: 'DataLoader' object is not an iterator

print(next(iter(loader)))
#> tensor([0, 1])
print(next(iter(loader)))
#> tensor([0, 1])

batches = iter(loader)
print(next(batches), next(batches))
#> tensor([0, 1]) tensor([2, 3])
next(batches)
#! StopIteration

torch.manual_seed(0)
shuffled = DataLoader(torch.arange(6), batch_size=3, shuffle=True)
for epoch in range(2):
    print([batch.tolist() for batch in shuffled])
#> [[0, 4, 3], [5, 2, 1]]
#> [[2, 3, 1], [5, 4, 0]]

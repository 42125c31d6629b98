"""`iter` creates a new iterator of a loader, which starts with the first batch."""
# covers: data.dataset-dataloader

import torch
from torch.utils.data import DataLoader

torch.manual_seed(0)
shuffled = DataLoader(torch.arange(6), batch_size=3, shuffle=True)
for _ in range(2):  # two epochs
    print([batch.tolist() for batch in shuffled])
#> [[0, 4, 3], [5, 2, 1]]
#> [[2, 3, 1], [5, 4, 0]]

loader = DataLoader(torch.arange(4), batch_size=2)
print(next(iter(loader)))
#> tensor([0, 1])
print(next(iter(loader)))
#> tensor([0, 1])

batches = iter(loader)
print(next(batches), next(batches))
#> tensor([0, 1]) tensor([2, 3])
next(batches)
#! StopIteration

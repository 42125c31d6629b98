"""A loader is iterable but not an iterator, so `next` refuses it."""
# covers: data.dataset-dataloader

import torch
from torch.utils.data import DataLoader

loader = DataLoader(torch.arange(4), batch_size=2)
for batch in loader:
    print(batch)
#> tensor([0, 1])
#> tensor([2, 3])

next(loader)
#! TypeError: 'DataLoader' object is not an iterator

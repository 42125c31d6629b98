"""Without workers there is nothing in advance, and no `prefetch_factor`."""
# covers: data.prefetch-factor data.tf-prefetch

import torch
from torch.utils.data import DataLoader

data = torch.arange(6)
print(DataLoader(data).prefetch_factor, DataLoader(data, num_workers=1).prefetch_factor)
#> None 2

DataLoader(data, prefetch_factor=2)
#! ValueError: prefetch_factor option could only be specified in multiprocessing.let num_workers > 0 to enable multiprocessing, otherwise set prefetch_factor to None.


class Loud(torch.utils.data.Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, index):
        print("read", index)
        return index


for batch in DataLoader(Loud(), batch_size=2):
    print("train", batch)
#> read 0
#> read 1
#> train tensor([0, 1])
#> read 2
#> read 3
#> train tensor([2, 3])

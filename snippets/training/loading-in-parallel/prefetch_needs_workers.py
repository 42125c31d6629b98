"""`prefetch_factor` is 2 with workers; without them it is `None`, and a number is refused."""
# covers: data.prefetch-factor

import torch
from torch.utils.data import DataLoader

data = torch.arange(6)
print(DataLoader(data).prefetch_factor, DataLoader(data, num_workers=1).prefetch_factor)
#> None 2

DataLoader(data, prefetch_factor=2)
#! ValueError: prefetch_factor option could only be specified in multiprocessing.let num_workers > 0 to enable multiprocessing, otherwise set prefetch_factor to None.

"""What the arguments of `DataLoader` do."""
# covers: data.dataloader-args

import inspect

import torch
from torch.utils.data import DataLoader

signature = inspect.signature(DataLoader.__init__).parameters
for name in "batch_size", "shuffle", "num_workers", "drop_last", "pin_memory":
    print(name, signature[name].default)
#> batch_size 1
#> shuffle None
#> num_workers 0
#> drop_last False
#> pin_memory False

data = torch.arange(5)
print(list(DataLoader(data)))
#> [tensor([0]), tensor([1]), tensor([2]), tensor([3]), tensor([4])]
print(list(DataLoader(data, batch_size=2)))
#> [tensor([0, 1]), tensor([2, 3]), tensor([4])]
print(list(DataLoader(data, batch_size=2, drop_last=True)))
#> [tensor([0, 1]), tensor([2, 3])]
print(list(DataLoader(data, batch_size=None)))
#> [tensor(0), tensor(1), tensor(2), tensor(3), tensor(4)]
print(list(DataLoader(data, sampler=[4, 0, 4], batch_size=3)))
#> [tensor([4, 0, 4])]
print(list(DataLoader(data, batch_sampler=[[0], [1, 2, 3]])))
#> [tensor([0]), tensor([1, 2, 3])]

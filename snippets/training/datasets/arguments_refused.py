"""`DataLoader` refuses arguments that contradict each other or make no sense, and it needs a dataset."""
# covers: data.dataloader-args

import torch
from torch.utils.data import DataLoader

data = torch.arange(5)
for arguments in {"shuffle": True, "sampler": [0]}, {"batch_size": 0}, {"num_workers": -1}:
    try:
        DataLoader(data, **arguments)
    except ValueError as error:
        print(error)
#> sampler option is mutually exclusive with shuffle
#> batch_size should be a positive integer value, but got batch_size=0
#> num_workers option should be non-negative; use num_workers=0 to disable multiprocessing.

DataLoader()
#! TypeError: DataLoader.__init__() missing 1 required positional argument: 'dataset'

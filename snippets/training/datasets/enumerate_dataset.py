"""A loop over a dataset calls `__getitem__` with 0, 1, 2 and so on, until it raises `IndexError`."""
# covers: data.dataset-enumerate

import torch
from torch.utils.data import Dataset


class Squares(Dataset):
    def __len__(self):
        return 3

    def __getitem__(self, index):
        return index**2


for item in enumerate(Squares()):
    print(item)
    if item[0] == 5:
        break
#> (0, 0)
#> (1, 1)
#> (2, 4)
#> (3, 9)
#> (4, 16)
#> (5, 25)


class Guarded(Squares):
    def __getitem__(self, index):
        if index >= len(self):
            raise IndexError(index)
        return index**2


print(list(enumerate(Guarded())))
#> [(0, 0), (1, 1), (2, 4)]
print(list(torch.utils.data.DataLoader(Squares(), batch_size=None)))
#> [0, 1, 4]


class ByName(Dataset):
    def __init__(self):
        self.rows = {"a": 1, "b": 2}

    def __getitem__(self, index):
        return self.rows[index]


list(ByName())
#! KeyError: 0

"""Each worker has a copy of the dataset; what the worker writes is lost."""
# covers: data.dataset-dataloader
# needs: multiprocessing
import multiprocessing

from torch.utils.data import DataLoader, Dataset

multiprocessing.set_start_method("fork", force=True)


class Cached(Dataset):
    def __init__(self):
        self.cache = {}

    def __len__(self):
        return 4

    def __getitem__(self, index):
        self.cache[index] = index**2
        return self.cache[index]


here = Cached()
print(list(DataLoader(here, batch_size=2)), here.cache)
#> [tensor([0, 1]), tensor([4, 9])] {0: 0, 1: 1, 2: 4, 3: 9}

there = Cached()
print(list(DataLoader(there, batch_size=2, num_workers=1)), there.cache)
#> [tensor([0, 1]), tensor([4, 9])] {}

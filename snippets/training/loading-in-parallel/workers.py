"""With workers, other processes call `__getitem__`."""
# covers: data.dataloader-args data.prefetch-factor
# needs: multiprocessing

import multiprocessing
import os

from torch.utils.data import DataLoader, Dataset, get_worker_info

multiprocessing.set_start_method("fork", force=True)


class Who(Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, index):
        worker = get_worker_info()
        return os.getpid(), -1 if worker is None else worker.id


def shown(loader):
    for pids, ids in loader:
        print("here" if pids[0] == os.getpid() else "another process", ids.tolist())


shown(DataLoader(Who(), batch_size=2))
#> here [-1, -1]
#> here [-1, -1]
shown(DataLoader(Who(), batch_size=2, num_workers=2))
#> another process [0, 0]
#> another process [1, 1]

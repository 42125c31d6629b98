"""A worker reads the next batch while this process works on the last one."""
# covers: data.tf-prefetch data.prefetch-factor
# needs: multiprocessing

import multiprocessing
import time

from torch.utils.data import DataLoader, Dataset

multiprocessing.set_start_method("fork", force=True)


class Slow(Dataset):
    def __len__(self):
        return 6

    def __getitem__(self, index):
        time.sleep(0.1)  # as if it read a file
        return index


def epoch(**options):
    batches = iter(DataLoader(Slow(), **options))
    next(batches)  # leave the start of the worker out of the time
    start = time.perf_counter()
    for _ in batches:
        time.sleep(0.1)  # as if it trained on a GPU
    return time.perf_counter() - start


# The faster of two: other programs on this machine can delay one of them.
alone = min(epoch() for _ in range(2))
with_worker = min(epoch(num_workers=1) for _ in range(2))
print(with_worker < alone)
#> True

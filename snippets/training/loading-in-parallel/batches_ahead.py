"""`prefetch_factor` counts the batches that the loader requests for each worker."""
# covers: data.prefetch-factor
# needs: multiprocessing
import multiprocessing

import torch
from torch.utils.data import DataLoader

multiprocessing.set_start_method("fork", force=True)


class Batches:
    """Ten batches of four samples; remembers how many were taken."""

    def __iter__(self):
        self.taken = 0
        for number in range(10):
            self.taken += 1
            yield [number, number, number, number]


def ahead(**options):
    sampler = Batches()
    batches = iter(DataLoader(torch.arange(10), batch_sampler=sampler, **options))
    first = sampler.taken
    next(batches)
    return first, sampler.taken


print(ahead(num_workers=1, prefetch_factor=2))
#> (2, 3)
print(ahead(num_workers=2, prefetch_factor=2))
#> (4, 5)
print(ahead(num_workers=1, prefetch_factor=3))
#> (3, 4)

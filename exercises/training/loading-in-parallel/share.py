"""A stream yields numbers, and each worker has a copy of it. Write `__iter__` so that all the workers together yield each number once.

`worker` is the result of `get_worker_info()` in a worker: an object with `id` (from 0) and `num_workers`. In the main process it is `None`. This program plays the workers one after the other.
"""
# exercise: write
# covers: data.dataset-dataloader
# about: training/loading-in-parallel.md#each-worker-has-a-copy
# hint: Of 10 numbers and 3 workers, worker 0 could take 0, 3, 6, 9.
# hint: In the main process, without any workers, the stream should yield all numbers.

# %% start
from types import SimpleNamespace

from torch.utils.data import IterableDataset


class Stream(IterableDataset):
    def __init__(self, length, worker=None):
        self.length, self.worker = length, worker

    def __iter__(self):
        return iter(range(self.length))


for number in range(3):
    print(number, list(Stream(10, SimpleNamespace(id=number, num_workers=3))))
print(list(Stream(10)))

# %% solution
# -         return iter(range(self.length))
# +         first, step = (0, 1) if self.worker is None else (self.worker.id, self.worker.num_workers)
# +         return iter(range(first, self.length, step))

# %% right: in one piece each
# -         return iter(range(self.length))
# +         if self.worker is None:
# +             return iter(range(self.length))
# +         first, last = (self.length * (self.worker.id + more) // self.worker.num_workers for more in (0, 1))
# +         return iter(range(first, last))

# %% check
def _all(length, workers):
    return [list(Stream(length, SimpleNamespace(id=_number, num_workers=workers))) for _number in range(workers)]


_three = _all(9, 3)
assert not _three[0] == _three[1] == list(range(9)), "Each worker yields all nine numbers, so the batches hold everything three times."
assert sorted(sum(_three, [])) == list(range(9)), f"Three workers yield {_three} of nine numbers. A number is missing or comes twice."
_uneven = sorted(sum(_all(10, 4), []))
assert _uneven == list(range(10)), f"Four workers yield {_uneven} of ten numbers. The numbers that are left over must come as well."
try:
    _alone = list(Stream(5))
except (AttributeError, TypeError):
    _alone = None
assert _alone == list(range(5)), "Without workers, `worker` is `None`, and the stream should yield all the numbers."

# %% wrong: the rest is lost
# -         return iter(range(self.length))
# +         if self.worker is None:
# +             return iter(range(self.length))
# +         each = self.length // self.worker.num_workers
# +         return iter(range(self.worker.id * each, (self.worker.id + 1) * each))

# %% wrong: one worker too many
# -         return iter(range(self.length))
# +         if self.worker is None:
# +             return iter(range(self.length))
# +         return iter(range(self.worker.id + 1, self.length, self.worker.num_workers))

# %% wrong: only the first works, and it alone
# -         return iter(range(self.length))
# +         if self.worker is None:
# +             return iter(())
# +         return iter(range(self.worker.id, self.length, self.worker.num_workers))

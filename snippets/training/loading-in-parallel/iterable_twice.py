"""Two workers on an `IterableDataset` yield everything twice, unless they divide the work."""
# covers: data.dataset-dataloader
# needs: multiprocessing
import multiprocessing

from torch.utils.data import DataLoader, IterableDataset, get_worker_info

multiprocessing.set_start_method("fork", force=True)


class Numbers(IterableDataset):
    def __iter__(self):
        return iter(range(4))


class Shared(IterableDataset):
    def __iter__(self):
        worker = get_worker_info()
        start, step = (0, 1) if worker is None else (worker.id, worker.num_workers)
        return iter(range(start, 4, step))


print([batch.tolist() for batch in DataLoader(Numbers(), batch_size=2, num_workers=2)])
#> [[0, 1], [0, 1], [2, 3], [2, 3]]
print([batch.tolist() for batch in DataLoader(Shared(), batch_size=2, num_workers=2)])
#> [[0, 2], [1, 3]]

"""The loader raises an error of a worker in the main process, with the worker's traceback in its text."""
# covers: data.dataloader-args
# needs: multiprocessing
import multiprocessing

from torch.utils.data import DataLoader, Dataset

multiprocessing.set_start_method("fork", force=True)


class Broken(Dataset):
    def __len__(self):
        return 2

    def __getitem__(self, index):
        raise ValueError(f"no sample {index}")


try:
    next(iter(DataLoader(Broken())))
except ValueError as error:
    print(error)
#> no sample 0

next(iter(DataLoader(Broken(), num_workers=1)))
#! ValueError: Caught ValueError in DataLoader worker process 0. ...

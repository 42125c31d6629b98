"""A dataset keeps all data in memory or reads each sample when it is needed."""
# covers: data.dataset-dataloader

import tempfile
from pathlib import Path

import torch
from torch.utils.data import DataLoader, Dataset, TensorDataset

everything = TensorDataset(torch.zeros(100, 3), torch.zeros(100))
print(everything.tensors[0].numel())
#> 300


class Files(Dataset):
    """One file for each sample."""

    def __init__(self, folder):
        self.paths = sorted(Path(folder).iterdir())
        self.read = 0

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, index):
        self.read += 1
        return torch.load(self.paths[index])


folder = tempfile.mkdtemp()
for number in range(6):
    torch.save(torch.full((2,), float(number)), Path(folder) / f"{number}.pt")

files = Files(folder)
print(len(files), files.read)
#> 6 0
batches = iter(DataLoader(files, batch_size=2))
print(next(batches), files.read)
#> tensor([[0., 0.],
#>         [1., 1.]]) 2

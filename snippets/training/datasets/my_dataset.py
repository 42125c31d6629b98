"""A dataset returns the number of its samples and the sample with a given number."""
# covers: data.mydataset-snippet data.dataset-dataloader

import torch
from torch.utils.data import DataLoader, Dataset


class Windows(Dataset):
    """Neighbors in a row of numbers; the label says whether they begin below 3."""

    def __init__(self, row, width):
        self.row, self.width = row, width

    def __len__(self):
        return len(self.row) - self.width + 1

    def __getitem__(self, index):
        window = self.row[index : index + self.width]
        return window, int(window[0] < 3)


windows = Windows(torch.arange(1, 7), width=3)
print(len(windows), windows[2])
#> 4 (tensor([3, 4, 5]), 0)

torch.manual_seed(0)
loader = DataLoader(windows, batch_size=2, shuffle=True, num_workers=0)
print(len(loader))
#> 2
for x, y in loader:
    print(x, y)
#> tensor([[3, 4, 5],
#>         [2, 3, 4]]) tensor([0, 1])
#> tensor([[4, 5, 6],
#>         [1, 2, 3]]) tensor([0, 1])

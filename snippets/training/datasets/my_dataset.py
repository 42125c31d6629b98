"""A dataset answers two questions: how many samples, and which is number i."""
# covers: data.mydataset-snippet data.dataset-dataloader

import torch
from torch.utils.data import DataLoader, Dataset


class MyDataset(Dataset):
    def __init__(self):
        self.data = torch.tensor([[1, 2, 3], [2, 3, 4], [3, 4, 5], [4, 5, 6]])
        self.labels = torch.tensor([1, 1, 0, 0])

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        return self.data[index], self.labels[index]


dataset = MyDataset()
print(len(dataset), dataset[2])
#> 4 (tensor([3, 4, 5]), tensor(0))

torch.manual_seed(0)
loader = DataLoader(dataset, batch_size=2, shuffle=True, num_workers=0)
print(len(loader))
#> 2
for x, y in loader:
    print(x, y)
#> tensor([[3, 4, 5],
#>         [2, 3, 4]]) tensor([0, 1])
#> tensor([[4, 5, 6],
#>         [1, 2, 3]]) tensor([0, 1])

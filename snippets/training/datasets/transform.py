"""The dataset calls `transform` and `target_transform` each time that it returns a sample."""
# covers: data.torchvision-mnist

import torch
from torch.utils.data import DataLoader, Dataset


class Pictures(Dataset):
    def __init__(self, transform=None, target_transform=None):
        self.pictures = [[[0, 128], [255, 64]]] * 2
        self.labels = [3, 7]
        self.transform = transform
        self.target_transform = target_transform

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        picture, label = self.pictures[index], self.labels[index]
        if self.transform is not None:
            picture = self.transform(picture)
        if self.target_transform is not None:
            label = self.target_transform(label)
        return picture, label


def to_tensor(picture):
    print("transform")
    return torch.tensor(picture).unsqueeze(0) / 255


dataset = Pictures(to_tensor, lambda label: label % 2)
x, y = next(iter(DataLoader(dataset, batch_size=2)))
#> transform
#> transform
print(x.shape, x.max(), y)
#> torch.Size([2, 1, 2, 2]) tensor(1.) tensor([1, 1])
x, y = dataset[0]
#> transform

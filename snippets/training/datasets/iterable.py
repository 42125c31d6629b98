"""An `IterableDataset` yields samples; it has no numbers to shuffle."""
# covers: data.dataset-dataloader

from torch.utils.data import DataLoader, IterableDataset


class Lines(IterableDataset):
    def __init__(self, text):
        self.text = text

    def __iter__(self):
        for line in self.text.splitlines():
            yield len(line)


lines = Lines("a\nbb\nccc\ndddd\neeeee")
print(list(DataLoader(lines, batch_size=2)))
#> [tensor([1, 2]), tensor([3, 4]), tensor([5])]

try:
    DataLoader(lines, shuffle=True)
except ValueError as error:
    print(error)
#> DataLoader with IterableDataset: expected unspecified shuffle option, but got shuffle=True

len(DataLoader(lines, batch_size=2))
#! TypeError: object of type 'Lines' has no len()

"""Without workers nothing is read in advance."""
# covers: data.prefetch-factor data.tf-prefetch

from torch.utils.data import DataLoader, Dataset


class Loud(Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, index):
        print("read", index)
        return index


for batch in DataLoader(Loud(), batch_size=2):
    print("train", batch)
#> read 0
#> read 1
#> train tensor([0, 1])
#> read 2
#> read 3
#> train tensor([2, 3])

import torch
from torch.utils.data import DataLoader, Dataset, random_split


class Squares(Dataset):
    def __init__(self, n):
        self.x = torch.arange(n, dtype=torch.float32)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, index):
        return {"x": self.x[index], "y": self.x[index] ** 2}


torch.manual_seed(0)
train_set, test_set = random_split(Squares(20), [16, 4])
loader = DataLoader(train_set, batch_size=6, shuffle=True, num_workers=0, drop_last=False)
for epoch in range(2):
    for i, batch in enumerate(loader):
        print(epoch, i, batch["x"].tolist(), batch["y"].shape)
print(len(test_set), next(iter(DataLoader(test_set, batch_size=4)))["y"])

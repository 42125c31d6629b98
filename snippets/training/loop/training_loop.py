"""A whole training loop: points instead of MNIST, each epoch a call of one function."""
# covers: train.loop-snippet train.epoch-steps

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
points = torch.rand(256, 2)
labels = (points[:, 0] > points[:, 1]).long()


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(2, 16)
        self.out = nn.Linear(16, 2)

    def forward(self, x):
        return F.log_softmax(self.out(F.relu(self.hidden(x))), dim=1)


device = torch.device("cpu")
loader = DataLoader(TensorDataset(points, labels), batch_size=64, shuffle=True)
net = Classifier().to(device)
optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3)


def train_epoch():
    net.train()
    for batch in loader:
        x, y = (part.to(device) for part in batch)
        optimizer.zero_grad()
        loss = F.nll_loss(net(x), y)
        loss.backward()
        optimizer.step()
    return loss.item()


for epoch in range(30):
    loss = train_epoch()
    if epoch % 10 == 9:
        print(epoch, f"{loss:.2f}")
#> 9 0.72
#> 19 0.70
#> 29 0.65

"""Validation after each epoch: `eval`, `no_grad`, sums instead of means, back to `train`."""
# covers: train.validation-loop

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
points = torch.rand(300, 2)
labels = (points[:, 0] > points[:, 1]).long()
training = TensorDataset(points[:200], labels[:200])
validation = TensorDataset(points[200:], labels[200:])

net = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Dropout(0.2), nn.Linear(16, 2))
optimizer = torch.optim.AdamW(net.parameters(), lr=0.01)


def train_epoch():
    net.train()
    for x, y in DataLoader(training, batch_size=50, shuffle=True):
        optimizer.zero_grad()
        F.cross_entropy(net(x), y).backward()
        optimizer.step()


@torch.no_grad()
def validate():
    net.eval()
    loss, right = 0.0, 0
    for x, y in DataLoader(validation, batch_size=64):
        scores = net(x)
        loss += F.cross_entropy(scores, y, reduction="sum").item()
        right += (scores.argmax(dim=1) == y).sum().item()
    return loss / len(validation), right / len(validation)


for epoch in range(6):
    train_epoch()
    loss, accuracy = validate()
    if epoch % 2:
        print(epoch, f"{loss:.2f} {accuracy:.2f}")
#> 1 0.68 0.52
#> 3 0.63 0.57
#> 5 0.56 0.78

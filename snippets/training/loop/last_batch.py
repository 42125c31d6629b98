"""The loss of one mini-batch jumps up and down; the loss of all training pictures falls."""

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn

digits = load_digits()
images, labels = torch.tensor(digits.data / 16).float(), torch.tensor(digits.target)

torch.manual_seed(0)
train, validation, test = torch.randperm(1797).split([1000, 400, 397])
net = nn.Linear(64, 10)
optimizer = torch.optim.SGD(net.parameters(), lr=0.5)

# region: losses
last_batch, all_pictures = [], []
for epoch in range(20):
    for batch in train[torch.randperm(1000)].split(50):
        loss = F.cross_entropy(net(images[batch]), labels[batch])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    last_batch.append(loss.item())
    with torch.no_grad():
        all_pictures.append(F.cross_entropy(net(images[train]), labels[train]).item())

print([f"{loss:.2f}" for loss in last_batch[-6:]])
#> ['0.34', '0.18', '0.20', '0.20', '0.15', '0.25']
print([f"{loss:.2f}" for loss in all_pictures[-6:]])
#> ['0.21', '0.21', '0.20', '0.20', '0.19', '0.18']
# endregion

"""The ten rows of weights as pictures, before training and after some of twenty epochs."""

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

# region: collect
weights = {0: net.weight.detach().clone().reshape(10, 8, 8)}
for epoch in range(1, 21):
    for batch in train[torch.randperm(1000)].split(50):
        loss = F.cross_entropy(net(images[batch]), labels[batch])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if epoch in (1, 20):
        weights[epoch] = net.weight.detach().clone().reshape(10, 8, 8)
print(list(weights), weights[20].shape)
#> [0, 1, 20] torch.Size([10, 8, 8])
# endregion

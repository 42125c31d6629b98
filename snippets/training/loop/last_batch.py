"""The loss of one batch jumps about; the loss of all the pictures falls."""

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn

digits = load_digits()
pictures = torch.from_numpy(digits.data).float() / 16
labels = torch.from_numpy(digits.target)

torch.manual_seed(0)
net = nn.Linear(64, 10)
optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
for epoch in range(20):
    for batch in torch.randperm(1000).split(50):
        loss = F.cross_entropy(net(pictures[batch]), labels[batch])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if epoch >= 14:
        with torch.no_grad():
            whole = F.cross_entropy(net(pictures[:1000]), labels[:1000])
        print(epoch + 1, f"{loss.item():.2f} {whole.item():.2f}")
#> 15 0.24 0.19
#> 16 0.19 0.18
#> 17 0.18 0.17
#> 18 0.22 0.17
#> 19 0.18 0.16
#> 20 0.15 0.16

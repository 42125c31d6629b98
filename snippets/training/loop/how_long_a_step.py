"""The loss after three epochs, by the learning rate, for SGD and for Adam."""
# covers: train.loss-optimizer

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn

digits = load_digits()
pictures = torch.from_numpy(digits.data[:1000]).float() / 16
labels = torch.from_numpy(digits.target[:1000])


def loss_after_training(optimizer_class, lr):
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))
    optimizer = optimizer_class(net.parameters(), lr=lr)
    for epoch in range(3):
        for batch in torch.randperm(1000).split(50):
            loss = F.cross_entropy(net(pictures[batch]), labels[batch])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return F.cross_entropy(net(pictures), labels).item()


for lr in 1.0, 0.1, 0.01:
    print("SGD ", lr, f"{loss_after_training(torch.optim.SGD, lr):.2f}")
#> SGD  1.0 0.31
#> SGD  0.1 1.94
#> SGD  0.01 2.29
for lr in 0.1, 0.01, 0.001:
    print("Adam", lr, f"{loss_after_training(torch.optim.Adam, lr):.2f}")
#> Adam 0.1 0.13
#> Adam 0.01 0.25
#> Adam 0.001 1.98
print(loss_after_training(torch.optim.Adam, 1.0) > 2)  # guessing would be 2.30
#> True

"""The validation loss after three epochs, by the learning rate, for SGD and for Adam, with five seeds each."""
# covers: train.loss-optimizer

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn

digits = load_digits()
images, labels = torch.tensor(digits.data / 16).float(), torch.tensor(digits.target)

torch.manual_seed(0)
train, validation, test = torch.randperm(1797).split([1000, 400, 397])


def loss_after_training(optimizer_class, lr, seed):
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))
    optimizer = optimizer_class(net.parameters(), lr=lr)
    for epoch in range(3):
        for batch in train[torch.randperm(1000)].split(50):
            loss = F.cross_entropy(net(images[batch]), labels[batch])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    with torch.no_grad():
        return F.cross_entropy(net(images[validation]), labels[validation]).item()


def losses_of_five_seeds(optimizer_class, lr):
    return [loss_after_training(optimizer_class, lr, seed) for seed in range(5)]


for lr in 1.0, 0.1, 0.01:
    print("SGD ", lr, [f"{loss:.2f}" for loss in losses_of_five_seeds(torch.optim.SGD, lr)])
#> SGD  1.0 ['0.82', '0.29', '0.61', '0.69', '0.26']
#> SGD  0.1 ['1.94', '1.83', '1.90', '1.76', '1.86']
#> SGD  0.01 ['2.30', '2.29', '2.28', '2.25', '2.29']
for lr in 0.1, 0.01, 0.001:
    print("Adam", lr, [f"{loss:.2f}" for loss in losses_of_five_seeds(torch.optim.Adam, lr)])
#> Adam 0.1 ['0.19', '0.33', '0.23', '0.44', '0.16']
#> Adam 0.01 ['0.31', '0.31', '0.34', '0.31', '0.28']
#> Adam 0.001 ['2.01', '1.97', '2.00', '1.90', '1.97']
print(min(losses_of_five_seeds(torch.optim.Adam, 1.0)) > 1.5)  # guessing would be 2.30
#> True

"""Three learning rates, five seeds each: correct answers on the 400 validation pictures."""

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn

digits = load_digits()
images, labels = torch.tensor(digits.data / 16).float(), torch.tensor(digits.target)

torch.manual_seed(0)
train, validation, test = torch.randperm(1797).split([1000, 400, 397])


def correct_on_validation(lr, seed):
    torch.manual_seed(seed)
    net = nn.Linear(64, 10)
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    for epoch in range(20):
        for batch in train[torch.randperm(1000)].split(50):
            loss = F.cross_entropy(net(images[batch]), labels[batch])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    with torch.no_grad():
        return (net(images[validation]).argmax(dim=1) == labels[validation]).sum().item()


for lr in (0.05, 0.5, 2.0):
    print(lr, [correct_on_validation(lr, seed) for seed in range(5)])
#> 0.05 [364, 365, 366, 365, 364]
#> 0.5 [385, 380, 383, 384, 381]
#> 2.0 [382, 384, 384, 386, 382]

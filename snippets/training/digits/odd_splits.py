"""Odd or even: three networks on five shuffled splits."""

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn

digits = load_digits()
images, labels = torch.tensor(digits.data / 16).float(), torch.tensor(digits.target)
is_odd = labels % 2


def validation_correct(make_net, seed):
    """Train a network on its own split, and count its correct validation answers."""
    torch.manual_seed(seed)
    train, validation, test = torch.randperm(1797).split([1000, 400, 397])
    net = make_net()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
    for epoch in range(20):
        for batch in train.split(50):
            loss = F.cross_entropy(net(images[batch]), is_odd[batch])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    with torch.no_grad():
        answers = net(images[validation]).argmax(dim=1)
    return (answers == is_odd[validation]).sum().item()


# region: networks
networks = {
    "one linear layer": lambda: nn.Linear(64, 2),
    "two linear layers": lambda: nn.Sequential(nn.Linear(64, 32), nn.Linear(32, 2)),
    "two with a ReLU": lambda: nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 2)),
}
for name, make_net in networks.items():
    print(name, [validation_correct(make_net, seed) for seed in range(5)])
#> one linear layer [369, 359, 369, 366, 367]
#> two linear layers [372, 361, 369, 364, 353]
#> two with a ReLU [389, 390, 389, 392, 390]
# endregion

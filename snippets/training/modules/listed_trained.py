"""The layer in the list computes in every step, but no step changes it."""

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn

digits = load_digits()
images, labels = torch.tensor(digits.data / 16).float(), torch.tensor(digits.target)

torch.manual_seed(0)
train, validation, test = torch.randperm(1797).split([1000, 400, 397])


class Listed(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = [nn.Linear(64, 32)]
        self.out = nn.Linear(32, 10)

    def forward(self, x):
        for layer in self.hidden:
            x = torch.relu(layer(x))
        return self.out(x)


# region: trained
class Registered(Listed):
    def __init__(self):
        super().__init__()
        self.hidden = nn.ModuleList(self.hidden)


def train_network(kind, seed):
    """Return the correct validation answers, and whether the hidden layer changed."""
    torch.manual_seed(seed)
    net = kind()
    before = net.hidden[0].weight.detach().clone()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
    for epoch in range(10):
        for batch in train.split(50):
            loss = F.cross_entropy(net(images[batch]), labels[batch])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    with torch.no_grad():
        correct = net(images[validation]).argmax(dim=1) == labels[validation]
    return correct.sum().item(), not torch.equal(before, net.hidden[0].weight)


for kind in (Listed, Registered):
    counts, changed = zip(*(train_network(kind, seed) for seed in range(5)))
    print(kind.__name__, counts, any(changed))
#> Listed (319, 296, 247, 308, 322) False
#> Registered (378, 379, 383, 384, 381) True
# endregion

"""The layer in the list is used in every step, and never moves."""

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn

digits = load_digits()
pictures = torch.from_numpy(digits.data).float() / 16
labels = torch.from_numpy(digits.target)


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
class Filed(Listed):
    def __init__(self):
        super().__init__()
        self.hidden = nn.ModuleList(self.hidden)


for kind in (Listed, Filed):
    torch.manual_seed(0)
    net = kind()
    before = net.hidden[0].weight.detach().clone()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
    torch.manual_seed(0)
    for epoch in range(5):
        for batch in torch.randperm(1000).split(50):
            loss = F.cross_entropy(net(pictures[batch]), labels[batch])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    right = (net(pictures[1000:]).argmax(dim=1) == labels[1000:]).sum().item()
    moved = not torch.equal(before, net.hidden[0].weight)
    print(kind.__name__, right, moved)
#> Listed 628 False
#> Filed 706 True
# endregion

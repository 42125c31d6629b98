"""Odd or even with eight hidden units: their weights as pictures, and how each unit votes."""

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn

digits = load_digits()
images, labels = torch.tensor(digits.data / 16).float(), torch.tensor(digits.target)
is_odd = labels % 2

torch.manual_seed(0)
train, validation, test = torch.randperm(1797).split([1000, 400, 397])
net = nn.Sequential(nn.Linear(64, 8), nn.ReLU(), nn.Linear(8, 2))
optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
for epoch in range(20):
    for batch in train.split(50):
        loss = F.cross_entropy(net(images[batch]), is_odd[batch])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

# region: units
with torch.no_grad():
    correct = net(images[validation]).argmax(dim=1) == is_odd[validation]
    units = net[1](net[0](images[validation]))  # their outputs after the ReLU
    vote = net[2].weight[1] - net[2].weight[0]  # "odd" minus "even"
print(correct.sum().item(), "of 400 are right")
#> 384 of 400 are right
for unit in range(8):
    print(unit, "odd " if vote[unit] > 0 else "even", (units[:, unit] > 0).sum().item())
#> 0 even 345
#> 1 odd  9
#> 2 odd  167
#> 3 odd  186
#> 4 odd  159
#> 5 even 152
#> 6 even 0
#> 7 even 178
# endregion

# region: pictures
weights = {f"unit {unit}": net[0].weight[unit].detach().reshape(8, 8) for unit in range(8)}
votes = [(units[labels[validation] == digit] * vote).mean(dim=0) for digit in range(10)]
votes = torch.stack(votes, dim=1)
# endregion

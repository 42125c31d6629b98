"""With scaled pictures, or with steps a tenth as long, nearly all hidden units stay alive."""

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn

digits = load_digits()
images, labels = torch.tensor(digits.data).float(), torch.tensor(digits.target)  # not divided by 16

torch.manual_seed(0)
train, validation, test = torch.randperm(1797).split([1000, 400, 397])


# region: repairs
def dead_units(images, lr, seed):
    """Train for ten epochs, and count the dead units before and after."""
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    counts = []
    for epoch in range(11):
        if epoch in (0, 10):
            with torch.no_grad():
                units = net[1](net[0](images[train]))
            counts.append((units == 0).all(dim=0).sum().item())
        for batch in train.split(50):
            loss = F.cross_entropy(net(images[batch]), labels[batch])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return counts


print("scaled, rate 0.5:   ", *[dead_units(images / 16, 0.5, seed) for seed in range(3)])
#> scaled, rate 0.5:    [0, 1] [1, 1] [1, 2]
print("unscaled, rate 0.05:", *[dead_units(images, 0.05, seed) for seed in range(3)])
#> unscaled, rate 0.05: [0, 3] [1, 2] [4, 5]
# endregion

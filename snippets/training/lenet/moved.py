"""A window shares its weights over the picture; the linear layer behind it doesn't, and minds where a digit is."""
# covers: module.lenet

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn

digits = load_digits()
pictures = torch.from_numpy(digits.data).float().reshape(-1, 1, 8, 8) / 16
labels = torch.from_numpy(digits.target)
moved = pictures.roll(1, dims=3)  # each digit one pixel to the right


def trained(net):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
    for epoch in range(6):
        for batch in torch.randperm(1000).split(50):
            loss = F.cross_entropy(net(pictures[batch]), labels[batch])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return net


def right(net, pictures):
    """How many of the 797 unseen pictures the net reads correctly."""
    with torch.no_grad():
        return (net(pictures[1000:]).argmax(dim=1) == labels[1000:]).sum().item()


torch.manual_seed(0)
pixels = trained(nn.Sequential(nn.Flatten(), nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10)))
torch.manual_seed(0)
windows = trained(nn.Sequential(nn.Conv2d(1, 8, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(72, 10)))
for net in pixels, windows:
    print(sum(p.numel() for p in net.parameters()), right(net, pictures))
#> 2410 733
#> 810 729
print(right(pixels, moved))
#> 340
print(right(windows, moved))
#> 416

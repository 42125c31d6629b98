"""A convolution shares its weights over the picture, but the linear layer behind it has a weight for each place."""
# covers: module.lenet

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn

digits = load_digits()
pictures = torch.tensor(digits.images / 16).float()[:, None]
labels = torch.tensor(digits.target)
moved = pictures.roll(1, dims=3)  # each digit one pixel to the right

torch.manual_seed(0)
train, validation, test = torch.randperm(1797).split([1000, 400, 397])


def train_network(make_net, seed):
    torch.manual_seed(seed)
    net = make_net()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
    for epoch in range(6):
        for batch in train[torch.randperm(1000)].split(50):
            loss = F.cross_entropy(net(pictures[batch]), labels[batch])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return net


def correct_on_validation(net, pictures):
    with torch.no_grad():
        return (net(pictures[validation]).argmax(dim=1) == labels[validation]).sum().item()


networks = {
    "linear layers": lambda: nn.Sequential(nn.Flatten(), nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10)),
    "convolution": lambda: nn.Sequential(
        nn.Conv2d(1, 8, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(72, 10)
    ),
}
for name, make_net in networks.items():
    nets = [train_network(make_net, seed) for seed in range(5)]
    print(name, sum(p.numel() for p in nets[0].parameters()), "parameters")
    print("in place:", [correct_on_validation(net, pictures) for net in nets])
    print("moved:   ", [correct_on_validation(net, moved) for net in nets])
#> linear layers 2410 parameters
#> in place: [375, 378, 369, 371, 366]
#> moved:    [149, 158, 160, 170, 143]
#> convolution 810 parameters
#> in place: [371, 380, 353, 369, 357]
#> moved:    [229, 204, 183, 235, 207]

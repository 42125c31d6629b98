"""The largest gradient in the first layer of networks with none to eight hidden layers."""

import math

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn

digits = load_digits()
images, labels = torch.tensor(digits.data / 16).float(), torch.tensor(digits.target)


# region: depth
def kaiming(weight):
    nn.init.kaiming_normal_(weight)


def too_large(weight):
    with torch.no_grad():
        weight.mul_(5)


def unchanged(weight):
    pass


def first_gradient(hidden_layers, activation, initialize):
    """Return the largest gradient in the first layer of a network, as a power of ten."""
    torch.manual_seed(0)
    sizes = [64] + [32] * hidden_layers
    layers = [nn.Linear(size, 32) for size in sizes[:-1]]
    last = nn.Linear(sizes[-1], 10)
    units = images
    for layer in layers:
        initialize(layer.weight)
        units = activation(layer(units))
    F.cross_entropy(last(units), labels).backward()
    return math.log10([*layers, last][0].weight.grad.abs().max())


sigmoid = [first_gradient(number, torch.sigmoid, unchanged) for number in range(9)]
relu_kaiming = [first_gradient(number, torch.relu, kaiming) for number in range(9)]
relu_too_large = [first_gradient(number, torch.relu, too_large) for number in range(9)]
for powers in sigmoid, relu_kaiming, relu_too_large:
    print(*[f"{power:.1f}" for power in powers])
#> -1.1 -2.2 -2.9 -3.8 -4.7 -5.5 -6.3 -6.9 -7.9
#> -1.1 -1.6 -1.7 -1.8 -1.7 -1.7 -1.9 -1.8 -1.8
#> -1.1 -1.4 -1.1 -0.5 -0.5 0.2 0.3 0.7 1.3
# endregion

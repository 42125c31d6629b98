"""Batches that a convolutional network refuses."""

import torch
from torch import nn

net = nn.Sequential(nn.Conv2d(1, 6, 5), nn.ReLU(), nn.Flatten(), nn.Linear(6 * 24 * 24, 10))
pictures = torch.zeros(5, 1, 28, 28)
labels = torch.zeros(5, dtype=torch.int64)


def attempt(pictures, labels):
    """Print the loss of a batch, or the error that the batch raises."""
    try:
        print(nn.functional.cross_entropy(net(pictures), labels))
    except (RuntimeError, ValueError) as error:
        print(error)


# Pictures in color
attempt(torch.zeros(5, 3, 28, 28), labels)
#> Given groups=1, weight of size [6, 1, 5, 5], expected input[5, 3, 28, 28] to have 1 channels, but got 3 channels instead

# Five pictures without the dimension of the channels
attempt(torch.zeros(5, 28, 28), labels)
#> Given groups=1, weight of size [6, 1, 5, 5], expected input[1, 5, 28, 28] to have 1 channels, but got 5 channels instead

# Pictures in float64, as from a NumPy array
attempt(pictures.double(), labels)
#> Input type (double) and bias type (float) should be the same

# The same dtype in a linear layer
try:
    net[3](torch.zeros(5, 6 * 24 * 24, dtype=torch.float64))
except RuntimeError as error:
    print(error)
#> mat1 and mat2 must have the same dtype, but got Double and Float

# Too few labels
attempt(pictures, labels[:4])
#> Expected input batch_size (5) to match target batch_size (4).

"""The first loss of three networks, with scaled and with unscaled pictures."""

import math

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn

digits = load_digits()
images, labels = torch.tensor(digits.data / 16).float(), torch.tensor(digits.target)

torch.manual_seed(0)
train, validation, test = torch.randperm(1797).split([1000, 400, 397])

print(f"guessing {math.log(10):.4f}")
#> guessing 2.3026
for seed in range(3):
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))
    scaled = F.cross_entropy(net(images[train]), labels[train])
    unscaled = F.cross_entropy(net(16 * images[train]), labels[train])
    print(f"scaled {scaled:.4f}, unscaled {unscaled:.4f}")
#> scaled 2.3270, unscaled 3.8480
#> scaled 2.3129, unscaled 3.4920
#> scaled 2.3145, unscaled 3.0408

"""Before the first step, a network of ten scores guesses."""

import math

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn

digits = load_digits()
pictures = torch.from_numpy(digits.data).float() / 16
labels = torch.from_numpy(digits.target)

print(f"{math.log(10):.4f}")
#> 2.3026
for seed in range(3):
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))
    print(f"{F.cross_entropy(net(pictures), labels):.4f}, and unscaled {F.cross_entropy(net(16 * pictures), labels):.4f}")
#> 2.3264, and unscaled 3.8359
#> 2.3143, and unscaled 3.4894
#> 2.3127, and unscaled 3.0593

"""One number per picture: how much ink its middle has."""

import torch
from sklearn.datasets import load_digits

digits = load_digits()
images = torch.from_numpy(digits.images).float() / 16
labels = torch.from_numpy(digits.target)
middles = images[:, 3:5, 3:5].mean(dim=(1, 2))
print(middles.shape)
#> torch.Size([1797])

chosen = [0, 1366, 596, 1]
print(middles[chosen])
#> tensor([0.0000, 0.2500, 0.7500, 1.0000])
print(labels[chosen])
#> tensor([0, 0, 1, 1])

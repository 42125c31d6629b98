"""One number per picture: the mean ink of its four middle pixels."""

import torch
from sklearn.datasets import load_digits

# region: numbers
digits = load_digits()
images, labels = torch.tensor(digits.data / 16).float(), torch.tensor(digits.target)
middles = images.reshape(1797, 8, 8)[:, 3:5, 3:5].mean(dim=(1, 2))

chosen = [0, 1366, 596, 1]
print(middles[chosen])
#> tensor([0.0000, 0.2500, 0.7500, 1.0000])
print(labels[chosen])
#> tensor([0, 0, 1, 1])
# endregion

pictures = {f"x = {middles[i].item():.2f}, label {labels[i].item()}": images[i].reshape(8, 8) for i in chosen}

"""How far it is in the storage to the next number along each axis."""

import torch
from sklearn.datasets import load_digits

images = torch.from_numpy(load_digits().images).float() / 16
picture = images[0]
print(picture.stride())
#> (8, 1)

row, column = 3, 2
position = row * 8 + column * 1
print(position, picture.reshape(64)[position], picture[row, column])
#> 26 tensor(0.7500) tensor(0.7500)

print(images.stride())
#> (64, 8, 1)

"""An index must lie inside its axis, but a slice may reach beyond it."""

import torch

t = torch.tensor([10, 20, 30])
print(t[2], t[-3])
#> tensor(30) tensor(10)
print(t[1:5])
#> tensor([20, 30])
t[5]
#! IndexError: index 5 is out of bounds for dimension 0 with size 3

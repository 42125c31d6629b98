"""A column minus a vector is a matrix, so this loss is wrong."""
# covers: tensor-ops.broadcast

import torch

prediction = torch.tensor([[1.0], [2.0], [3.0]])
target = torch.tensor([1.0, 2.0, 3.0])
print(((prediction - target) ** 2).mean())
#> tensor(1.3333)
print(((prediction.squeeze(1) - target) ** 2).mean())
#> tensor(0.)

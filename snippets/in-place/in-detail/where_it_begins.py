"""A new tensor has version 0, and the weight of a new layer has version 1."""
# covers: inplace.version-counter

import torch

print(torch.ones(2)._version, torch.rand(2)._version)
#> 0 0

layer = torch.nn.Linear(2, 1)
print(layer.weight._version, layer.bias._version)
#> 1 1

optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
layer(torch.ones(2)).backward()
optimizer.step()
print(layer.weight._version)
#> 2

"""A module that is moved or converted keeps its `Parameter` objects, so the optimizer still has them in its list."""
# covers: gpu.module-to

import torch
from torch import nn

model = nn.Linear(2, 1)
weight = model.weight
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

model.to(torch.float64)
print(model.weight is weight, weight.dtype)
#> True torch.float64
model(torch.ones(1, 2, dtype=torch.float64)).sum().backward()
before = weight.detach().clone()
optimizer.step()
print(weight.equal(before))
#> False

model.float()
print(weight.dtype, weight.grad.dtype)
#> torch.float32 torch.float32

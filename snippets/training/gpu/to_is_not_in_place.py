"""`to` on a tensor returns another tensor; `to` on a module changes the module."""
# covers: gpu.device-snippet gpu.module-to

import torch
from torch import nn

x = torch.ones(2)
y = x.to(torch.float64)
print(x.dtype, y.dtype)
#> torch.float32 torch.float64
print(x.to(torch.float32) is x, x.to("cpu") is x)
#> True True

model = nn.Linear(2, 1)
same = model.to(torch.float64)
print(same is model, model.weight.dtype)
#> True torch.float64

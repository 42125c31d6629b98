"""The same program runs with a GPU and without."""
# covers: gpu.device-snippet gpu.module-to

import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Linear(3, 1).to(device)
x = torch.rand(4, 3, device=device)
result = model(x).cpu()
print(result.shape, result.device)
#> torch.Size([4, 1]) cpu

with device:  # new tensors go there, unless told otherwise
    print(torch.ones(2).device == x.device)
#> True

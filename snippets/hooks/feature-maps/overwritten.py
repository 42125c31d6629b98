"""A later in-place layer overwrites a stored output unless it is cloned."""

import torch
from torch import nn

model = nn.Sequential(nn.Linear(2, 2, bias=False), nn.ReLU(inplace=True))
with torch.no_grad():
    model[0].weight.copy_(torch.tensor([[1.0, 0.0], [0.0, -1.0]]))

kept = {}


def keep(module, inputs, output):
    kept["detached"] = output.detach()
    kept["cloned"] = output.detach().clone()


model[0].register_forward_hook(keep)
model(torch.tensor([[3.0, 4.0]]))
print(kept["detached"])
#> tensor([[3., 0.]])
print(kept["cloned"])
#> tensor([[ 3., -4.]])

"""A tensor created with `requires_grad=True` inside `no_grad()` still requires a gradient."""
# covers: autograd.no-grad

import torch

with torch.no_grad():
    created = torch.ones(2, requires_grad=True)
    computed = created * 2
    layer = torch.nn.Linear(2, 1)
print(created.requires_grad, computed.requires_grad, layer.weight.requires_grad)
#> True False True

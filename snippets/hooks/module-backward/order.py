"""When a full backward hook runs, the weight of the layer has its gradient already."""
# covers: hooks.module-backward-hook

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(3, 3), nn.Linear(3, 1))
for name, layer in model.named_children():
    layer.register_full_backward_pre_hook(lambda m, go, name=name: print(name, "before"))
    layer.register_full_backward_hook(lambda m, gi, go, name=name: print(name, "after"))
    layer.weight.register_hook(lambda grad, name=name: print(name, "weight"))

model(torch.ones(1, 3, requires_grad=True)).backward()
#> 1 before
#> 1 weight
#> 1 after
#> 0 before
#> 0 weight
#> 0 after

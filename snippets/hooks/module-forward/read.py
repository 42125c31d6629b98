"""A forward hook reads the output of an inner layer without a change of the model's code."""
# covers: hooks.module-forward-hook, hooks.forward-hook-usecase

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1))
outputs = {}


def keep(module, inputs, output):
    outputs["relu"] = output


handle = model[1].register_forward_hook(keep)
print(type(handle))
#> <class 'torch.utils.hooks.RemovableHandle'>

model(torch.ones(2, 3))
print(outputs["relu"].shape)
#> torch.Size([2, 4])
print(outputs["relu"])
#> tensor([[0.0000, 0.0000, 0.1571, 0.0000],
#>         [0.0000, 0.0000, 0.1571, 0.0000]], grad_fn=<ReluBackward0>)

handle.remove()

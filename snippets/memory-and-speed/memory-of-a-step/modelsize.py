"""`modelsize` estimates the memory of a model, and fails for a model with branches."""
# covers: memory.modelsize-snippet

import torch
from torch import nn


def modelsize(model, input, type_size=4):
    parameters = sum(p.numel() for p in model.parameters())
    print("parameters: {:4f} MB".format(parameters * type_size / 1000 / 1000))
    x, outputs = input.clone().requires_grad_(False), []
    for i, module in enumerate(model.modules()):
        if i == 0 or (isinstance(module, nn.ReLU) and module.inplace):
            continue
        x = module(x)
        outputs.append(x.numel())
    print("outputs: {:3f} MB, with backward {:3f} MB".format(*(sum(outputs) * type_size * k / 1e6 for k in (1, 2))))


flat = nn.Sequential(nn.Linear(100, 50), nn.ReLU(), nn.Linear(50, 10))
modelsize(flat, torch.zeros(64, 100))
#> parameters: 0.022240 MB
#> outputs: 0.028160 MB, with backward 0.056320 MB


class Branches(nn.Module):
    def __init__(self):
        super().__init__()
        self.left, self.right = nn.Linear(100, 10), nn.Linear(100, 10)

    def forward(self, x):
        return self.left(x) + self.right(x)


modelsize(Branches(), torch.zeros(64, 100))
#> parameters: 0.008080 MB
#! RuntimeError: mat1 and mat2 shapes cannot be multiplied (64x10 and 100x10)

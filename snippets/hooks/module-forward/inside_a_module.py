"""A module registers one of its methods as a hook on its layer."""
# covers: hooks.hook-as-method

import torch
from torch import nn


class Watched(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(3, 4)
        self.out = nn.Linear(4, 1)
        self.largest = 0.0
        self.hidden.register_forward_hook(self.watch)

    def watch(self, module, inputs, output):
        self.largest = max(self.largest, output.abs().max().item())

    def forward(self, x):
        return self.out(torch.relu(self.hidden(x)))


torch.manual_seed(0)
model = Watched()
model(torch.ones(2, 3))
print(f"{model.largest:.4f}")
#> 0.8748

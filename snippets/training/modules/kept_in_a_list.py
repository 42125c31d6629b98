"""A layer in a Python list is no sub-module."""
# covers: module.subclass

import torch
from torch import nn


class InAList(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = [nn.Linear(2, 2), nn.Linear(2, 2)]


class InAModuleList(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(2, 2), nn.Linear(2, 2)])


print(len(list(InAList().parameters())))
#> 0
print(len(list(InAModuleList().parameters())))
#> 4
torch.optim.SGD(InAList().parameters(), lr=0.1)
#! ValueError: optimizer got an empty parameter list

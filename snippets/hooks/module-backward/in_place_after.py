"""The output of a layer with a full backward hook can't be changed in place."""

import torch
from torch import nn

torch.manual_seed(0)
layer = nn.Linear(3, 2)
model = nn.Sequential(layer, nn.ReLU(inplace=True))
x = torch.ones(1, 3)
print(model(x).shape)
#> torch.Size([1, 2])

layer.register_full_backward_hook(lambda module, grad_input, grad_output: None)
model(x)
#! RuntimeError: Output 0 of BackwardHookFunction is a view and is being modified inplace. ...

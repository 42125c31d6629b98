"""A model that calls `mm` takes a matrix only; `nn.Linear` takes any number of axes."""
# covers: module.linear-model

import torch
from torch import nn


class LinearModel(nn.Module):
    def __init__(self, ndim):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(ndim, 1))
        self.bias = nn.Parameter(torch.zeros(1))

    def forward(self, x):
        return x.mm(self.weight) + self.bias


model, layer = LinearModel(3), nn.Linear(3, 1)
print(model.weight.shape, layer.weight.shape, layer.bias.shape)
#> torch.Size([3, 1]) torch.Size([1, 3]) torch.Size([1])
for x in torch.ones(3), torch.ones(5, 2, 3):
    print(layer(x).shape)
    try:
        model(x)
    except RuntimeError as error:
        print(error)
#> torch.Size([1])
#> self must be a matrix
#> torch.Size([5, 2, 1])
#> self must be a matrix

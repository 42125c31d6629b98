"""A model of two parameters."""
# covers: module.linear-model module.subclass

import torch
from torch import nn


class LinearModel(nn.Module):
    def __init__(self, ndim):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(ndim, 1))
        self.bias = nn.Parameter(torch.zeros(1))

    def forward(self, x):
        return x.mm(self.weight) + self.bias


model = LinearModel(3)
x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
print(model(x))
#> tensor([[ 6.],
#>         [15.]], grad_fn=<AddBackward0>)
for name, parameter in model.named_parameters():
    print(name, tuple(parameter.shape))
#> weight (3, 1)
#> bias (1,)

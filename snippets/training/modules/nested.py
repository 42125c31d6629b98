"""Modules inside modules: one tree."""
# covers: module.subclass

import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layer = nn.Linear(width, width)

    def forward(self, x):
        return x + torch.tanh(self.layer(x))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = Block(2)
        self.second = Block(2)
        self.head = nn.Linear(2, 1)

    def forward(self, x):
        return self.head(self.second(self.first(x)))


net = Net()
print(net)
#> Net(
#>   (first): Block(
#>     (layer): Linear(in_features=2, out_features=2, bias=True)
#>   )
#>   (second): Block(
#>     (layer): Linear(in_features=2, out_features=2, bias=True)
#>   )
#>   (head): Linear(in_features=2, out_features=1, bias=True)
#> )
print(isinstance(net.head, nn.Module), issubclass(nn.ReLU, nn.Module), issubclass(nn.MSELoss, nn.Module))
#> True True True
print([name for name, module in net.named_modules()])
#> ['', 'first', 'first.layer', 'second', 'second.layer', 'head']
for name, parameter in net.named_parameters():
    print(name)
#> first.layer.weight
#> first.layer.bias
#> second.layer.weight
#> second.layer.bias
#> head.weight
#> head.bias

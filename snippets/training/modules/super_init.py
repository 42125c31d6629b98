"""The parent's constructor comes first."""
# covers: module.super-init

import torch
from torch import nn


class Forgotten(nn.Module):
    def __init__(self):
        self.layer = nn.Linear(2, 2)


Forgotten()
#! AttributeError: cannot assign module before Module.__init__() call


class TooLate(nn.Module):
    def __init__(self, width):
        self.width = width
        super().__init__()
        self.layer = nn.Linear(width, width)


print(TooLate(2))
#> TooLate(
#>   (layer): Linear(in_features=2, out_features=2, bias=True)
#> )


class NoName(nn.Module):
    def __init__(self):
        nn.Module.__init__()


NoName()
#! TypeError: Module.__init__() missing 1 required positional argument: 'self'


class WithSelf(nn.Module):
    def __init__(self):
        nn.Module.__init__(self)
        self.layer = nn.Linear(2, 2)


print(WithSelf())
#> WithSelf(
#>   (layer): Linear(in_features=2, out_features=2, bias=True)
#> )


class Nothing(nn.Module):
    def forward(self, x):
        return 2 * x


print(Nothing()(torch.ones(2)))
#> tensor([2., 2.])

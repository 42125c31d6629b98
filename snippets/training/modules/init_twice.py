"""Where the two spellings differ: a class with two parents."""
# covers: module.super-init

from torch import nn


class Named:
    def __init__(self):
        super().__init__()
        self.name = "net"


class WithSuper(Named, nn.Module):
    def __init__(self):
        super().__init__()


class ByName(Named, nn.Module):
    def __init__(self):
        nn.Module.__init__(self)


print(WithSuper().name, WithSuper().training)
#> net True
print(ByName().training)
#> True
print(ByName().name)
#! AttributeError: 'ByName' object has no attribute 'name'

"""Called by the name of the class, the parent's constructor needs `self`."""
# covers: module.super-init

from torch import nn


class WithSelf(nn.Module):
    def __init__(self):
        nn.Module.__init__(self)
        self.layer = nn.Linear(2, 2)


print(WithSelf())
#> WithSelf(
#>   (layer): Linear(in_features=2, out_features=2, bias=True)
#> )


class WithoutSelf(nn.Module):
    def __init__(self):
        nn.Module.__init__()


WithoutSelf()
#! TypeError: Module.__init__() missing 1 required positional argument: 'self'

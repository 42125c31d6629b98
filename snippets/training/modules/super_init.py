"""Without the parent's constructor, the first layer can't be assigned."""
# covers: module.super-init

from torch import nn


class Forgotten(nn.Module):
    def __init__(self):
        self.layer = nn.Linear(2, 2)


Forgotten()
#! AttributeError: cannot assign module before Module.__init__() call

"""Two layers, one of them in a Python list."""
# covers: module.subclass

import torch
from torch import nn


class Listed(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = [nn.Linear(64, 32)]
        self.out = nn.Linear(32, 10)

    def forward(self, x):
        for layer in self.hidden:
            x = torch.relu(layer(x))
        return self.out(x)


net = Listed()
print(net(torch.zeros(1, 64)).shape)
#> torch.Size([1, 10])
print(sum(p.numel() for p in net.parameters()))
#> 330

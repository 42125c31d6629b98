"""`eval` changes what is computed, `no_grad` what is recorded."""
# covers: tricks.eval-vs-nograd

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 4), nn.Dropout(0.5))
x = torch.ones(1, 2)


def shown(name):
    first, second = net(x), net(x)
    print(f"{name:16} graph {first.requires_grad!s:6} same twice {first.equal(second)}")


net.train()
shown("train")
#> train            graph True   same twice False
with torch.no_grad():
    shown("train, no_grad")
#> train, no_grad   graph False  same twice False
net.eval()
shown("eval")
#> eval             graph True   same twice True
with torch.no_grad():
    shown("eval, no_grad")
#> eval, no_grad    graph False  same twice True

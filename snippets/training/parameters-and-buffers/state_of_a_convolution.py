"""The state of a convolution is its weight and its bias; its stride is not part of it."""
# covers: module.state-params-buffers

import torch
from torch import nn

conv = nn.Conv2d(1, 2, kernel_size=3, stride=2, padding=1)
print(list(conv._parameters), list(conv._buffers))
#> ['weight', 'bias'] []
print(list(conv.state_dict()))
#> ['weight', 'bias']
print({name: vars(conv)[name] for name in ("kernel_size", "stride", "padding")})
#> {'kernel_size': (3, 3), 'stride': (2, 2), 'padding': (1, 1)}

other = nn.Conv2d(1, 2, kernel_size=3, stride=1, padding=0)
print(other.load_state_dict(conv.state_dict()))
#> <All keys matched successfully>
x = torch.ones(1, 1, 7, 7)
print(conv(x).shape, other(x).shape)
#> torch.Size([1, 2, 4, 4]) torch.Size([1, 2, 5, 5])

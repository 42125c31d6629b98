"""`to` moves parameters, their gradients and buffers, but no plain tensors."""
# covers: gpu.module-to

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
        self.register_buffer("scale", torch.ones(2), persistent=False)
        self.plain = torch.ones(2)


net = Net()
net.layers[0].weight.grad = torch.zeros(2, 2)
layer = net.layers[0]
net.double()
print(net.layers[0] is layer)
#> True
for name, t in [*net.named_parameters(), *net.named_buffers()]:
    print(f"{name:30}", t.dtype)
#> layers.0.weight                torch.float64
#> layers.0.bias                  torch.float64
#> layers.1.weight                torch.float64
#> layers.1.bias                  torch.float64
#> scale                          torch.float64
#> layers.1.running_mean          torch.float64
#> layers.1.running_var           torch.float64
#> layers.1.num_batches_tracked   torch.int64
print(net.layers[0].weight.grad.dtype, net.plain.dtype)
#> torch.float64 torch.float32

net.to(torch.int64)
#! TypeError: nn.Module.to only accepts floating point or complex dtypes, but got desired dtype=torch.int64

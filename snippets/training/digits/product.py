"""Two linear layers compute the same function as a single one."""

import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(5, 64)
first, second = nn.Linear(64, 32), nn.Linear(32, 2)

W = second.weight @ first.weight
b = second.weight @ first.bias + second.bias
print(W.shape, b.shape)
#> torch.Size([2, 64]) torch.Size([2])
print(torch.allclose(second(first(x)), x @ W.T + b, atol=1e-5))
#> True
print(torch.allclose(second(torch.relu(first(x))), x @ W.T + b, atol=1e-5))
#> False

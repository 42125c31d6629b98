"""Two linear layers in a row are one linear layer."""

import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(5, 64)
first, second = nn.Linear(64, 32), nn.Linear(32, 10)
W1, b1, W2, b2 = first.weight, first.bias, second.weight, second.bias

W, b = W2 @ W1, W2 @ b1 + b2
print(W.shape, b.shape)
#> torch.Size([10, 64]) torch.Size([10])
print(torch.allclose(second(first(x)), x @ W.T + b, atol=1e-5))
#> True
print(torch.allclose(second(torch.relu(first(x))), x @ W.T + b, atol=1e-5))
#> False

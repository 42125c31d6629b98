"""The loop makes no nested calls, so a chain can be as long as memory allows."""

import torch

x = torch.tensor(1.0, requires_grad=True)
y = x
for _ in range(20_000):
    y = y + 1
y.backward()
print(y.item(), x.grad)
#> 20001.0 tensor(1.)

"""PyTorch visits a leaf once, however many paths lead to it."""

import torch

x = torch.tensor(1.0, requires_grad=True)
visits = []
x.register_hook(visits.append)
y = x
for _ in range(16):
    y = y + y
y.backward()
print(len(visits), visits[0].item())
#> 1 65536.0

"""One step with a learning rate that is six times as large."""

import torch

x = torch.tensor([0.0, 0.25, 0.75, 1.0])
y = torch.tensor([0.0, 0.0, 1.0, 1.0])


def loss(w):
    return ((w * x - y) ** 2).mean()


w = torch.tensor(0.0, requires_grad=True)
loss(w).backward()
print(w.grad)
#> tensor(-0.8750)
print(loss(0.0 - 3.0 * w.grad))
#> tensor(1.0024)

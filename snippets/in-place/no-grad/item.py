"""`item` takes the number and leaves the record."""
# covers: autograd.no-grad

import torch

x = torch.tensor([0.0, 0.25, 0.75, 1.0])
y = torch.tensor([0.0, 0.0, 1.0, 1.0])
w = torch.tensor(0.0, requires_grad=True)

total = 0.0
for step in range(100):
    loss = ((w * x - y) ** 2).mean()
    total += loss.item()
print(type(total).__name__, total)
#> float 50.0

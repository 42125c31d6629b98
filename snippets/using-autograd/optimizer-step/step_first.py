"""Two rounds in which `step` comes before `backward`."""
# covers: autograd.optimizer-step

import torch

x = torch.tensor([0.0, 0.25, 0.75, 1.0])
y = torch.tensor([0.0, 0.0, 1.0, 1.0])
w = torch.tensor(0.0, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.5)

for _ in range(2):
    optimizer.step()
    optimizer.zero_grad()
    loss = ((w * x - y) ** 2).mean()
    loss.backward()
print(w)
#> tensor(0.4375, requires_grad=True)

"""Clear, backward, step, two hundred times."""
# covers: train.iteration-three-steps autograd.optimizer-step

import torch

x = torch.tensor([0.0, 0.25, 0.75, 1.0])
y = torch.tensor([0.0, 0.0, 1.0, 1.0])
w = torch.tensor(0.0, requires_grad=True)
b = torch.tensor(0.0, requires_grad=True)
optimizer = torch.optim.SGD([w, b], lr=0.5)

for step in range(1, 201):
    loss = ((w * x + b - y) ** 2).mean()
    optimizer.zero_grad()  # clear
    loss.backward()  # backward
    optimizer.step()  # step
    if step in (1, 2, 3, 20, 200):
        numbers = [f"{one.item():.4f}" for one in (loss, w, b)]
        print(f"{step:3}", *numbers)
#>   1 0.5000 0.4375 0.5000
#>   2 0.1637 0.4473 0.2812
#>   3 0.1136 0.5624 0.2764
#>  20 0.0261 1.1291 -0.0596
#> 200 0.0250 1.2000 -0.1000

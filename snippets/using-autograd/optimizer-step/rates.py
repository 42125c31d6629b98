"""Three learning rates: too small, about right, too large."""
# covers: autograd.optimizer-step

import torch

x = torch.tensor([0.0, 0.25, 0.75, 1.0])
y = torch.tensor([0.0, 0.0, 1.0, 1.0])

for lr in (0.05, 0.5, 1.0):
    w = torch.tensor(0.0, requires_grad=True)
    b = torch.tensor(0.0, requires_grad=True)
    optimizer = torch.optim.SGD([w, b], lr=lr)
    for step in range(20):
        loss = ((w * x + b - y) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"learning rate {lr}: loss {loss.item():.3g}")
#> learning rate 0.05: loss 0.118
#> learning rate 0.5: loss 0.0261
#> learning rate 1.0: loss 9.01e+06

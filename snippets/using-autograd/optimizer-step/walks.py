"""The same training with `zero_grad` and without."""
# covers: train.iteration-three-steps autograd.grad-accumulates

import torch

x = torch.tensor([0.0, 0.25, 0.75, 1.0])
y = torch.tensor([0.0, 0.0, 1.0, 1.0])


def loss(w, b):
    return ((w * x + b - y) ** 2).mean()


def train(clear):
    w = torch.tensor(0.0, requires_grad=True)
    b = torch.tensor(0.0, requires_grad=True)
    optimizer = torch.optim.SGD([w, b], lr=0.5)
    points, losses = [], []
    for _ in range(12):
        current_loss = loss(w, b)
        points.append((w.item(), b.item()))
        losses.append(f"{current_loss.item():.4f}")
        if clear:
            optimizer.zero_grad()
        current_loss.backward()
        optimizer.step()
    print(*losses[:6])
    return points


cleared = train(clear=True)
#> 0.5000 0.1637 0.1136 0.0918 0.0764 0.0647
uncleared = train(clear=False)
#> 0.5000 0.1637 0.5642 0.1516 0.2315 0.4739

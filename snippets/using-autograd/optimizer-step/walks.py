"""The same walk with and without clearing."""
# covers: train.iteration-three-steps autograd.grad-accumulates

import torch

x = torch.tensor([0.0, 0.25, 0.75, 1.0])
y = torch.tensor([0.0, 0.0, 1.0, 1.0])


def loss(w, b):
    return ((w * x + b - y) ** 2).mean()


def walk(clear):
    w = torch.tensor(0.0, requires_grad=True)
    b = torch.tensor(0.0, requires_grad=True)
    optimizer = torch.optim.SGD([w, b], lr=0.5)
    path, losses = [], []
    for _ in range(12):
        now = loss(w, b)
        path.append((w.item(), b.item()))
        losses.append(f"{now.item():.4f}")
        if clear:
            optimizer.zero_grad()
        now.backward()
        optimizer.step()
    print(*losses[:6])
    return path


cleared = walk(clear=True)
#> 0.5000 0.1637 0.1136 0.0918 0.0764 0.0647
uncleared = walk(clear=False)
#> 0.5000 0.1637 0.5642 0.1516 0.2315 0.4739

"""Five steps of gradient descent, each against the gradient at the current weight."""

import torch

x = torch.tensor([0.0, 0.25, 0.75, 1.0])
y = torch.tensor([0.0, 0.0, 1.0, 1.0])


def loss(w):
    return ((w * x - y) ** 2).mean()


learning_rate = 0.5
visited = [0.0]
for step in range(5):
    w = torch.tensor(visited[-1], requires_grad=True)
    loss(w).backward()
    visited.append(w.item() - learning_rate * w.grad.item())
for w in visited:
    print(f"w {w:.4f}, loss {loss(w).item():.4f}")
#> w 0.0000, loss 0.5000
#> w 0.4375, loss 0.1949
#> w 0.6973, loss 0.0874
#> w 0.8515, loss 0.0495
#> w 0.9431, loss 0.0361
#> w 0.9975, loss 0.0314

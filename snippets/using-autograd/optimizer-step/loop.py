"""The three calls of a training step, and what each of them does."""

import torch

x = torch.tensor([1.0, 2.0, 3.0, 4.0])
target = 3 * x
w = torch.tensor(0.0, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.02)

for epoch in range(5):
    loss = ((w * x - target) ** 2).mean()
    optimizer.zero_grad()  # .grad of w is None
    loss.backward()  # .grad of w is d loss / d w
    optimizer.step()  # w moves against .grad
    print(f"{epoch}: loss {loss.item():.4f}, grad {w.grad.item():.4f}, w {w.item():.4f}")
#> 0: loss 67.5000, grad -45.0000, w 0.9000
#> 1: loss 33.0750, grad -31.5000, w 1.5300
#> 2: loss 16.2068, grad -22.0500, w 1.9710
#> 3: loss 7.9413, grad -15.4350, w 2.2797
#> 4: loss 3.8912, grad -10.8045, w 2.4958

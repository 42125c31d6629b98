"""In a narrow valley, plain SGD is slower than SGD with momentum and Adam."""
# covers: train.loss-optimizer

import torch


def walk(optimizer_class, **settings):
    w = torch.tensor([1.0, 0.1], requires_grad=True)
    optimizer = optimizer_class([w], **settings)
    losses = []
    for step in range(60):
        loss = w[0] ** 2 + 100 * w[1] ** 2
        losses.append(loss.item())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return losses


plain = walk(torch.optim.SGD, lr=0.009)
momentum = walk(torch.optim.SGD, lr=0.009, momentum=0.8)
adam = walk(torch.optim.Adam, lr=0.05)
for step in 0, 1, 20, 59:
    print(step, f"{plain[step]:.3f} {momentum[step]:.3f} {adam[step]:.3f}")
#> 0 2.000 2.000 2.000
#> 1 1.604 1.604 1.153
#> 20 0.484 0.022 0.069
#> 59 0.117 0.000 0.001

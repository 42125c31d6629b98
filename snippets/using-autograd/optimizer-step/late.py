"""Two places of `step`: before the loss is computed, or between the loss and `backward`."""

import torch

x = torch.tensor([0.0, 0.25, 0.75, 1.0])
y = torch.tensor([0.0, 0.0, 1.0, 1.0])


def new_optimizer():
    parameters = torch.zeros(2, requires_grad=True)  # w and b
    return parameters, torch.optim.SGD([parameters], lr=0.5)


def loss_of(parameters):
    return ((parameters[0] * x + parameters[1] - y) ** 2).mean()


losses = []
parameters, optimizer = new_optimizer()
for _ in range(8):
    optimizer.step()
    optimizer.zero_grad()
    loss = loss_of(parameters)
    loss.backward()
    losses.append(f"{loss.item():.3f}")
print(*losses)
#> 0.500 0.164 0.114 0.092 0.076 0.065 0.056 0.049

losses = []
parameters, optimizer = new_optimizer()
for _ in range(8):
    loss = loss_of(parameters)
    optimizer.step()
    optimizer.zero_grad()
    loss.backward()
    losses.append(f"{loss.item():.3f}")
print(*losses)
#> 0.500 0.500 0.164 0.920 0.564 0.288 1.893 0.620

"""A training run is interrupted after 200 steps and continues in three ways."""
# covers: save.checkpoint save.load

import io

import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(64, 3)
y = x @ torch.tensor([[1.0], [-2.0], [0.5]])


def make():
    model = nn.Linear(3, 1)
    return model, torch.optim.Adam(model.parameters(), lr=0.1)


def train(model, optimizer, steps):
    losses = []
    for _ in range(steps):
        loss = nn.functional.mse_loss(model(x), y)
        losses.append(loss.item())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return losses


model, optimizer = make()
train(model, optimizer, 200)
file = io.BytesIO()
torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, file)
uninterrupted = train(model, optimizer, 20)

file.seek(0)
checkpoint = torch.load(file)
model, optimizer = make()
model.load_state_dict(checkpoint["model"])
optimizer.load_state_dict(checkpoint["optimizer"])
both = train(model, optimizer, 20)

model, optimizer = make()
model.load_state_dict(checkpoint["model"])
model_only = train(model, optimizer, 20)

print(both == uninterrupted)
#> True
for step in 0, 1, 19:
    print(step, f"{uninterrupted[step]:.6f} {model_only[step]:.6f}")
#> 0 0.000000 0.000000
#> 1 0.000000 0.042110
#> 19 0.000000 0.000293

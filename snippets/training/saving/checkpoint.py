"""Save a checkpoint, load it into new objects, go on."""
# covers: save.checkpoint save.load

import tempfile
from pathlib import Path

import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(16, 3)
wanted = x.sum(dim=1, keepdim=True)


def make():
    model = nn.Linear(3, 1)
    return model, torch.optim.Adam(model.parameters(), lr=0.05)


def train(model, optimizer, epochs):
    for _ in range(epochs):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), wanted)
        loss.backward()
        optimizer.step()
    return loss.item()


path = Path(tempfile.mkdtemp()) / "checkpoint.pt"
model, optimizer = make()
loss = train(model, optimizer, 5)
torch.save(
    {
        "epoch": 5,
        "model_state_dict": model.state_dict(),
        "optimizer_state_dict": optimizer.state_dict(),
        "loss": loss,
    },
    path,
)
went_on = train(model, optimizer, 5)

model, optimizer = make()
checkpoint = torch.load(path)
print(model.load_state_dict(checkpoint["model_state_dict"]))
#> <All keys matched successfully>
optimizer.load_state_dict(checkpoint["optimizer_state_dict"])
print(checkpoint["epoch"], checkpoint["loss"] == loss)
#> 5 True
print(train(model, optimizer, 5) == went_on)
#> True

model, optimizer = make()
print(model.load_state_dict(checkpoint["model_state_dict"]))  # with a new optimizer
#> <All keys matched successfully>
print(train(model, optimizer, 5) == went_on)
#> False

"""A checkpoint is saved and loaded into new objects, and the training continues."""
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
    return {"model": model, "optimizer": torch.optim.Adam(model.parameters(), lr=0.05)}


def train(parts, epochs):
    for _ in range(epochs):
        parts["optimizer"].zero_grad()
        loss = nn.functional.mse_loss(parts["model"](x), wanted)
        loss.backward()
        parts["optimizer"].step()
    return loss.item()


path = Path(tempfile.mkdtemp()) / "checkpoint.pt"
first = make()
loss = train(first, 5)
states = {f"{name}_state_dict": part.state_dict() for name, part in first.items()}
torch.save({"epoch": 5, "loss": loss, **states}, path)
went_on = train(first, 5)

checkpoint = torch.load(path)
print(list(checkpoint))
#> ['epoch', 'loss', 'model_state_dict', 'optimizer_state_dict']
print(checkpoint["epoch"], checkpoint["loss"] == loss)
#> 5 True
resumed = make()
for name, part in resumed.items():
    part.load_state_dict(checkpoint[f"{name}_state_dict"])
print(train(resumed, 5) == went_on)
#> True

half = make()  # the model from the file, but a new optimizer
print(half["model"].load_state_dict(checkpoint["model_state_dict"]))
#> <All keys matched successfully>
print(train(half, 5) == went_on)
#> False

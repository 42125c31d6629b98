import torch
import torch.nn as nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(3, 4), nn.GELU(), nn.Linear(4, 2))
optimizer = torch.optim.Adam(model.parameters())
model(torch.ones(1, 3)).sum().backward()
optimizer.step()
torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": 3}, "checkpoint.pt")

other = nn.Sequential(nn.Linear(3, 4), nn.GELU(), nn.Linear(4, 2))
checkpoint = torch.load("checkpoint.pt", map_location="cpu", weights_only=True)
print(other.load_state_dict(checkpoint["model"]), checkpoint["epoch"])
print(all(torch.equal(a, b) for a, b in zip(model.parameters(), other.parameters())))
for name, tensor in other.state_dict().items():
    print(name, tuple(tensor.shape), tensor.dtype)

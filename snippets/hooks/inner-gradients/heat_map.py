"""Feature maps, weighted by their gradients, show which part of a picture an answer depends on."""
# covers: hooks.forward-hook-usecase

import torch
from torch import nn

torch.manual_seed(0)


# region: model
class SmallNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 4, 3, padding=1)
        self.relu = nn.ReLU()
        self.fc = nn.Linear(4, 2)

    def forward(self, x):
        x = self.relu(self.conv(x))
        return self.fc(x.mean(dim=(2, 3)))
# endregion


def images(n):
    # Class 1 has a bright square somewhere, class 0 is noise.
    x = torch.rand(n, 1, 8, 8) * 0.2
    y = torch.randint(0, 2, (n,))
    for i in range(n):
        if y[i] == 1:
            row, column = torch.randint(0, 6, (2,)).tolist()
            x[i, 0, row : row + 3, column : column + 3] += 1.0
    return x, y


model = SmallNet()
optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
for _ in range(100):
    x, y = images(32)
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(f"loss {loss.item():.3f}")
#> loss 0.003

# region: map
kept = {}


def keep(module, inputs, output):
    kept["map"] = output
    output.register_hook(lambda grad: kept.update(grad=grad))


model.relu.register_forward_hook(keep)
image = torch.full((1, 1, 8, 8), 0.1)
image[0, 0, 1:4, 4:7] = 1.1
model(image)[0, 1].backward()

weights = kept["grad"].mean(dim=(2, 3), keepdim=True)
heat = torch.relu((weights * kept["map"]).sum(1))[0].detach()
for row in heat / heat.max():
    print(" ".join("#" if value > 0.5 else "." for value in row.tolist()))
#> . . . . . . . .
#> . . . . . # . .
#> . . . . # # # .
#> . . . . . # . .
#> . . . . . . . .
#> . . . . . . . .
#> . . . . . . . .
#> . . . . . . . .
# endregion

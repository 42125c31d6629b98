"""A training program has four blocks: data, model, loss with optimizer, and loop."""
# covers: train.four-modules

import torch
from torch import nn

torch.manual_seed(0)

# 1. Input
points = torch.rand(32, 2)
labels = (points[:, 0] > points[:, 1]).long()
loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(points, labels), batch_size=8)

# 2. Model: what forward does
model = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 2))

# 3. Loss and optimizer
loss_function = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.05)

# 4. Loop
for epoch in range(20):
    for x, y in loader:
        optimizer.zero_grad()
        loss = loss_function(model(x), y)
        loss.backward()
        optimizer.step()

with torch.no_grad():
    right = (model(points).argmax(dim=1) == labels).sum()
print(right.item(), "of", len(labels))
#> 29 of 32

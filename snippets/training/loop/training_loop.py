"""The loop of the notes, on points instead of MNIST."""
# covers: train.loop-snippet train.epoch-steps

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
points = torch.rand(256, 2)
labels = (points[:, 0] > points[:, 1]).long()


class BasicNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(2, 16)
        self.out = nn.Linear(16, 2)

    def forward(self, x):
        return F.log_softmax(self.out(F.relu(self.hidden(x))), dim=1)


device = torch.device("cpu")
loader = DataLoader(TensorDataset(points, labels), batch_size=64, shuffle=True)
net = BasicNet().to(device)
optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3)

net.train()
for epoch in range(30):
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        loss = F.nll_loss(net(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    if epoch % 10 == 9:
        print(epoch, f"{loss.item():.2f}")
#> 9 0.72
#> 19 0.70
#> 29 0.65

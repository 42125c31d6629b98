import torch
import torch.nn as nn

torch.manual_seed(0)
net = nn.Sequential(
    nn.Conv1d(2, 4, 3), nn.BatchNorm1d(4), nn.ReLU(), nn.Dropout(0.5), nn.Flatten(), nn.Linear(24, 3)
)
x = torch.randn(16, 2, 8)
net.train()
for _ in range(3):
    out = net(x)
print(out.shape, net[1].running_mean)
net.eval()
with torch.no_grad():
    print(torch.equal(net(x), net(x)), net(x).softmax(1).sum(1)[:3])
print(sum(p.numel() for p in net.parameters() if p.requires_grad))

import random
import numpy as np
import torch
import torch.nn as nn
import matplotlib.pyplot as plt

np.random.seed(1337)
random.seed(1337)
torch.manual_seed(1337)
angle = np.random.rand(100) * np.pi
upper = np.stack([np.cos(angle[:50]), np.sin(angle[:50])], 1)
lower = np.stack([1 - np.cos(angle[50:]), 0.5 - np.sin(angle[50:])], 1)
X = np.concatenate([upper, lower]) + 0.1 * np.random.randn(100, 2)
y = np.repeat([-1, 1], 50)

plt.figure(figsize=(5, 5))
plt.scatter(X[:, 0], X[:, 1], c=y, s=20, cmap="jet")

model = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 16), nn.ReLU(), nn.Linear(16, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
inputs, targets = torch.tensor(X, dtype=torch.float32), torch.tensor(y)
for k in range(60):
    scores = model(inputs).squeeze(1)
    loss = (1 - targets * scores).relu().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("learned:", ((scores > 0) == (targets > 0)).float().mean().item() > 0.9)

h = 0.25
xx, yy = np.meshgrid(np.arange(-1.5, 2.5, h), np.arange(-1, 1.5, h))
grid = torch.from_numpy(np.c_[xx.ravel(), yy.ravel()]).float()
Z = (model(grid) > 0).reshape(xx.shape)
plt.figure()
plt.contourf(xx, yy, Z.numpy(), cmap=plt.cm.Spectral, alpha=0.8)
plt.scatter(X[:, 0], X[:, 1], c=y, s=40, cmap=plt.cm.Spectral)
plt.xlim(xx.min(), xx.max())
plt.ylim(yy.min(), yy.max())
plt.show()

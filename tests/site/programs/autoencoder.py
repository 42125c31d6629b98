import torch
import torch.nn as nn
from sklearn.datasets import load_digits
import matplotlib.pyplot as plt

torch.manual_seed(0)
X = torch.tensor(load_digits().data[:200] / 16).float()


class AutoEncoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 8))
        self.decoder = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 64), nn.Sigmoid())

    def forward(self, x):
        return self.decoder(self.encoder(x))


model = AutoEncoder()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
loss_fn = nn.MSELoss()
first = None
for epoch in range(30):
    loss = loss_fn(model(X), X)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    first = first or loss.item()
print("halved:", loss.item() < first / 2)

fig, axs = plt.subplots(2, 5, figsize=(10, 4))
with torch.no_grad():
    pictures = model(X[:5])
for i in range(5):
    axs[0, i].imshow(X[i].reshape(8, 8), cmap="gray_r")
    axs[1, i].imshow(pictures[i].reshape(8, 8).numpy(), cmap="gray_r")
    axs[0, i].set_axis_off()
    axs[1][i].set_axis_off()
plt.show()

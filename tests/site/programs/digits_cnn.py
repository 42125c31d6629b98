import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
from sklearn.datasets import load_digits
import matplotlib.pyplot as plt

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 8, 3, padding=1)
        self.conv2 = nn.Conv2d(8, 16, 3)
        self.dropout = nn.Dropout(0.25)
        self.fc = nn.Linear(16 * 1 * 1, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        return self.fc(self.dropout(torch.flatten(x, 1)))


def train(model, device, loader, optimizer, epoch):
    model.train()
    total = 0.0
    for data, target in loader:
        data, target = data.to(device), target.to(device)
        optimizer.zero_grad()
        loss = F.cross_entropy(model(data), target)
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total / len(loader)


def test(model, device, images, labels):
    model.eval()
    with torch.no_grad():
        predictions = model(images.to(device)).argmax(dim=1)
    return (predictions == labels).float().mean().item()


if __name__ == "__main__":
    torch.manual_seed(0)
    digits = load_digits()
    images = torch.tensor(digits.images, dtype=torch.float32).unsqueeze(1) / 16
    labels = torch.tensor(digits.target)
    loader = DataLoader(TensorDataset(images[:500], labels[:500]), batch_size=50, shuffle=True)
    model = Net().to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    history = [train(model, device, loader, optimizer, epoch) for epoch in range(4)]
    print(model)
    print("the loss has fallen:", history[-1] < 0.7 * history[0])
    print("better than guessing:", test(model, device, images[500:900], labels[500:900]) > 0.3)
    plt.figure(figsize=(8, 4))
    plt.plot(range(1, 5), history, marker="o")
    plt.xlabel("epoch")
    plt.ylabel("loss")
    plt.title("Training")
    plt.grid(True)
    plt.tight_layout()
    plt.savefig("loss.png", dpi=150)
    plt.close()

"""The same ten pictures, with a softmax in front of a loss that applies one itself."""

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn

digits = load_digits()
images, labels = torch.tensor(digits.data / 16).float(), torch.tensor(digits.target)
ten_images, ten_labels = images[:10], labels[:10]

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10), nn.Softmax(dim=1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
for step in range(201):
    loss = F.cross_entropy(net(ten_images), ten_labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 50 == 0:
        print(step, f"{loss.item():.4f}")
#> 0 2.3041
#> 50 2.2599
#> 100 1.9435
#> 150 1.5171
#> 200 1.4776

certain = F.one_hot(ten_labels, 10).float()  # probability 1 for the right digit
print(f"{F.cross_entropy(certain, ten_labels):.4f}")
#> 1.4612

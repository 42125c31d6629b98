"""After each epoch a look at both parts, seen and unseen."""
# covers: train.validation-loop

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn

digits = load_digits()
pictures = torch.from_numpy(digits.data).float() / 16
labels = torch.from_numpy(digits.target)

torch.manual_seed(0)
net = nn.Linear(64, 10)
optimizer = torch.optim.SGD(net.parameters(), lr=0.5)


# region: look
def look(pictures, labels):
    """Mean loss, and how many are right; the net is as it was afterwards."""
    net.eval()
    with torch.no_grad():
        scores = net(pictures)
        loss = F.cross_entropy(scores, labels).item()
        right = (scores.argmax(dim=1) == labels).sum().item()
    net.train()
    return loss, right


seen, unseen = [], []
for epoch in range(20):
    for batch in torch.randperm(1000).split(50):
        loss = F.cross_entropy(net(pictures[batch]), labels[batch])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    seen.append(look(pictures[:1000], labels[:1000])[0])
    unseen.append(look(pictures[1000:], labels[1000:])[0])

for epoch in (0, 4, 19):
    print(epoch + 1, f"{seen[epoch]:.2f} {unseen[epoch]:.2f}")
#> 1 1.12 1.15
#> 5 0.38 0.48
#> 20 0.16 0.30
# endregion

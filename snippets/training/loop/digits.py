"""Twenty epochs on a thousand pictures of digits."""
# covers: train.four-modules train.epoch-steps train.loop-snippet

# region: train
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

for epoch in range(20):
    for batch in torch.randperm(1000).split(50):
        loss = F.cross_entropy(net(pictures[batch]), labels[batch])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
# endregion

# region: look
net.eval()
with torch.no_grad():
    answers = net(pictures).argmax(dim=1)
right = answers == labels
print(right[:1000].sum())
#> tensor(974)
print(right[1000:].sum())
#> tensor(735)
# endregion

"""The gradient at the pixels of a five, and a change along it that makes the network answer three."""

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn

digits = load_digits()
images, labels = torch.tensor(digits.data / 16).float(), torch.tensor(digits.target)

torch.manual_seed(0)
train, validation, test = torch.randperm(1797).split([1000, 400, 397])
net = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))
optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
for epoch in range(20):
    for batch in train.split(50):
        loss = F.cross_entropy(net(images[batch]), labels[batch])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

# region: gradient
five = images[930].clone().requires_grad_()
scores = net(five)
print(scores.argmax())
#> tensor(5)

(scores[3] - scores[5]).backward()
saliency = five.grad.reshape(8, 8)
# endregion

picture = five.detach().reshape(8, 8)

# region: steps
print(f"{five.grad.sum():.0f} {five.grad.abs().sum():.0f}")
#> 5 68

steps = {}
for size in (0.0, 0.025, 0.05, 0.075, 0.1, 0.125, 0.15):
    changed = (five.detach() + size * five.grad.sign()).clamp(0, 1)
    scores = net(changed)
    print(size, scores.argmax().item(), f"{scores[5] - scores[3]:.1f}")
    steps[size] = {f"answer: {scores.argmax()}": changed.reshape(8, 8)}
#> 0.0 5 4.1
#> 0.025 5 2.6
#> 0.05 5 1.2
#> 0.075 3 -0.2
#> 0.1 3 -1.6
#> 0.125 3 -2.9
#> 0.15 3 -4.1
# endregion

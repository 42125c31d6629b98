"""A change of 0.1 at every pixel, at random and along the gradient, for five networks."""

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn

digits = load_digits()
images, labels = torch.tensor(digits.data / 16).float(), torch.tensor(digits.target)

torch.manual_seed(0)
train, validation, test = torch.randperm(1797).split([1000, 400, 397])


def train_network(seed):
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
    for epoch in range(20):
        for batch in train.split(50):
            loss = F.cross_entropy(net(images[batch]), labels[batch])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return net


# region: attack
def count_mistakes(net, pictures):
    with torch.no_grad():
        answers = net(pictures.clamp(0, 1)).argmax(dim=1)
    return (answers != labels[validation]).sum().item()


unchanged, at_random, attacked = [], [], []
for seed in range(5):
    net = train_network(seed)
    pictures = images[validation].requires_grad_()
    F.cross_entropy(net(pictures), labels[validation]).backward()
    with torch.no_grad():
        signs = torch.randint(0, 2, (400, 64)) * 2 - 1
        unchanged.append(count_mistakes(net, pictures))
        at_random.append(count_mistakes(net, pictures + 0.1 * signs))
        attacked.append(count_mistakes(net, pictures + 0.1 * pictures.grad.sign()))
print("unchanged:", unchanged)
#> unchanged: [21, 18, 16, 16, 18]
print("at random:", at_random)
#> at random: [20, 27, 25, 27, 19]
print("along the gradient:", attacked)
#> along the gradient: [188, 180, 171, 181, 184]
# endregion

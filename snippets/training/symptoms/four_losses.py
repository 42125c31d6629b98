"""Four runs of the same training loop: a healthy one, and three with a mistake."""

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn

digits = load_digits()
images, labels = torch.tensor(digits.data / 16).float(), torch.tensor(digits.target)

torch.manual_seed(0)
train, validation, test = torch.randperm(1797).split([1000, 400, 397])
shuffled_labels = labels.clone()
shuffled_labels[train] = labels[train][torch.randperm(1000)]


def run(images, labels, *last):
    """Return the losses of both sets, before training and after each of ten epochs."""
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10), *last)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
    train_losses, validation_losses = [], []
    for epoch in range(11):
        with torch.no_grad():
            train_losses.append(F.cross_entropy(net(images[train]), labels[train]).item())
            validation_loss = F.cross_entropy(net(images[validation]), labels[validation])
            validation_losses.append(validation_loss.item())
        for batch in train.split(50):
            loss = F.cross_entropy(net(images[batch]), labels[batch])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return train_losses, validation_losses


def summary(losses, validation):
    return f"{losses[0]:.2f} {losses[10]:.2f}, validation {validation[10]:.2f}"


healthy, healthy_validation = run(images, labels)
unscaled, unscaled_validation = run(16 * images, labels)
wrong_labels, wrong_labels_validation = run(images, shuffled_labels)
softmax_twice, softmax_twice_validation = run(images, labels, nn.Softmax(dim=1))
print("healthy      ", summary(healthy, healthy_validation))
#> healthy       2.33 0.11, validation 0.16
print("unscaled     ", summary(unscaled, unscaled_validation))
#> unscaled      3.85 2.30, validation 2.31
print("wrong labels ", summary(wrong_labels, wrong_labels_validation))
#> wrong labels  2.31 2.25, validation 2.29
print("softmax twice", summary(softmax_twice, softmax_twice_validation))
#> softmax twice 2.30 1.86, validation 1.89

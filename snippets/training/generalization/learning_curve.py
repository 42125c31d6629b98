"""The mean loss on the training and the validation set, before training and after each epoch."""
# covers: train.validation-loop

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn

digits = load_digits()
images, labels = torch.tensor(digits.data / 16).float(), torch.tensor(digits.target)

torch.manual_seed(0)
train, validation, test = torch.randperm(1797).split([1000, 400, 397])

net = nn.Linear(64, 10)
optimizer = torch.optim.SGD(net.parameters(), lr=0.5)


def mean_loss(net, indices):
    net.eval()
    with torch.no_grad():
        loss = F.cross_entropy(net(images[indices]), labels[indices]).item()
    net.train()
    return loss


# region: train
training_loss, validation_loss = [mean_loss(net, train)], [mean_loss(net, validation)]
for epoch in range(20):
    for batch in train[torch.randperm(1000)].split(50):
        loss = F.cross_entropy(net(images[batch]), labels[batch])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    training_loss.append(mean_loss(net, train))
    validation_loss.append(mean_loss(net, validation))

for epoch in (0, 1, 5, 20):
    print(f"{epoch:2} {training_loss[epoch]:.2f} {validation_loss[epoch]:.2f}")
#>  0 2.31 2.31
#>  1 1.13 1.18
#>  5 0.39 0.45
#> 20 0.18 0.23
# endregion
